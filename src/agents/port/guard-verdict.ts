/** What a proof of an agent's guards can come to. */
export const guardVerdicts = ["enforced", "INERT", "not provable"] as const;
export type GuardVerdict = (typeof guardVerdicts)[number];
