import { Html } from "../../../base/html.ts";

/** Light or dark as the reader has it; fonts of the system. */
export const css = new Html(`
:root { color-scheme: light dark; --ground: #f6f7f9; --card: #fff; --line: #e2e5ea; --text: #1b1f27; --soft: #5d6675; --first: #2563c9; --second: #d9822b; --bad: #c62f2f; --good: #1f7a4d; --cell: 37 99 201; }
@media (prefers-color-scheme: dark) { :root { --ground: #11141a; --card: #191d25; --line: #2a303b; --text: #e8ebf0; --soft: #98a2b3; --first: #79b0ff; --second: #f0a955; --bad: #ff7b72; --good: #56d090; --cell: 121 176 255; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 15px/1.55 system-ui, sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 48px 24px 64px; }
h1 { font-size: 30px; line-height: 1.2; margin: 4px 0 12px; overflow-wrap: anywhere; }
h2 { font-size: 16px; margin: 0 0 4px; }
p { margin: 0; }
.eyebrow { color: var(--soft); font: 600 13px/1 ui-monospace, monospace; }
.summary { font-size: 17px; color: var(--soft); overflow-wrap: anywhere; }
.warnings { margin: 20px 0 0; padding: 12px 18px 12px 36px; border: 1px solid var(--second); border-radius: 12px; overflow-wrap: anywhere; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 12px; margin: 24px 0 12px; }
.tile, .card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 16px 18px; break-inside: avoid; }
.tile b { display: block; font-size: 26px; line-height: 1.2; font-variant-numeric: tabular-nums; }
.tile span, .soft { color: var(--soft); font-size: 14px; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 440px), 1fr)); gap: 12px; margin: 12px 0; }
.wide { grid-column: 1 / -1; }
.plot { display: block; width: 100%; height: auto; margin-top: 8px; }
.plot text { fill: var(--soft); font: 12px system-ui, sans-serif; }
.grid { stroke: var(--line); } .chance { stroke: var(--soft); stroke-dasharray: 4 4; opacity: 0.7; }
.curve { fill: none; stroke: var(--first); stroke-width: 2; stroke-linejoin: round; } .area { fill: var(--first); fill-opacity: 0.12; }
.first { fill: var(--first); } .second { fill: var(--second); } .soft-fill { fill: var(--soft); opacity: 0.55; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 16px; color: var(--soft); font-size: 13px; }
.legend i { display: inline-block; width: 11px; height: 11px; border-radius: 3px; margin-right: 6px; }
.legend .first { background: var(--first); } .legend .second { background: var(--second); } .legend .soft-fill { background: var(--soft); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin-top: 8px; }
th, td { text-align: right; padding: 6px 12px; border-top: 1px solid var(--line); }
th { color: var(--soft); font-weight: 500; text-align: left; overflow-wrap: anywhere; }
td.text { text-align: left; overflow-wrap: anywhere; }
footer { margin-top: 32px; color: var(--soft); font-size: 13px; overflow-wrap: anywhere; }
`);
