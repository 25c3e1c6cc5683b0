/** What answers are made of, as JSON Schema; what requests are made of are fields. */
export const string = { type: "string" } as const;
export const strings = { type: "array", items: string } as const;
export const stringOrNull = { type: ["string", "null"] } as const;
export const count = { type: "integer", minimum: 0 } as const;
export const time = { type: "string", format: "date-time" } as const;
export const timeOrNull = { anyOf: [time, { type: "null" }] } as const;
export const sha256 = { type: "string", pattern: "^[0-9a-f]{64}$" } as const;
