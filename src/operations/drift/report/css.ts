import { Html } from "../../../base/html.ts";

/** Light or dark as the reader has it; fonts of the system. The two sides differ in lightness too, for print and the colour-blind. */
export const css = new Html(`
:root { color-scheme: light dark; --ground: #f6f7f9; --card: #fff; --line: #e2e5ea; --text: #1b1f27; --soft: #5d6675; --before: #9aa5b5; --now: #2563c9; --bad: #c62f2f; --good: #1f7a4d; }
@media (prefers-color-scheme: dark) { :root { --ground: #11141a; --card: #191d25; --line: #2a303b; --text: #e8ebf0; --soft: #98a2b3; --before: #667085; --now: #79b0ff; --bad: #ff7b72; --good: #56d090; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 15px/1.55 system-ui, sans-serif; }
main { max-width: 980px; margin: 0 auto; padding: 48px 24px 64px; }
h1 { font-size: 30px; line-height: 1.2; margin: 4px 0 12px; overflow-wrap: anywhere; }
h2 { font-size: 17px; margin: 0; overflow-wrap: anywhere; }
p { margin: 0; }
.eyebrow { color: var(--soft); font: 600 13px/1 ui-monospace, monospace; }
.verdict { font-size: 18px; overflow-wrap: anywhere; } .verdict.bad { color: var(--bad); } .verdict.good { color: var(--good); }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 12px; margin: 28px 0; }
.tile { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 16px 18px; }
.tile b { display: block; font-size: 28px; line-height: 1.15; font-variant-numeric: tabular-nums; }
.tile span, .soft { color: var(--soft); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 18px; margin: 12px 0; break-inside: avoid; overflow-x: auto; }
.card.bad { border-left: 4px solid var(--bad); }
.head { display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: baseline; }
.finding { color: var(--bad); overflow-wrap: anywhere; }
.plot { display: block; width: 100%; min-width: 600px; height: auto; margin: 12px 0 4px; }
.plot text { fill: var(--soft); font: 12px system-ui, sans-serif; } .plot .label { fill: var(--text); }
.axis { stroke: var(--line); } .before { fill: var(--before); } .now { fill: var(--now); }
.area { fill: var(--before); fill-opacity: 0.45; } .outline { fill: none; stroke: var(--now); stroke-width: 2; }
.gap { stroke: var(--bad); stroke-dasharray: 4 3; }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: 5px 8px; border-top: 1px solid var(--line); white-space: nowrap; }
th { color: var(--soft); font-weight: 500; } th:first-child, td:first-child { text-align: left; }
thead th { border-top: 0; }
.sides td { text-align: left; white-space: normal; overflow-wrap: anywhere; } .sides th { text-align: left; }
code { font: 12px/1.4 ui-monospace, monospace; }
.legend { display: flex; gap: 18px; margin: 24px 0 8px; color: var(--soft); } .legend i { display: inline-block; width: 12px; height: 12px; border-radius: 3px; margin-right: 6px; }
.legend .b { background: var(--before); } .legend .n { background: var(--now); }
footer { margin-top: 40px; color: var(--soft); font-size: 13px; overflow-wrap: anywhere; }
`);
