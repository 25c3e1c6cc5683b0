import { SwarmError } from "../../../base/errors.ts";

/** A mistake at an offset of a schedule's text. Positions are told as editors count them: from 1. */
export function misread(schedule: string, offset: number, problem: string): SwarmError {
  return new SwarmError("SWARM_SCHEDULE_INVALID", { schedule, position: offset + 1, problem });
}
