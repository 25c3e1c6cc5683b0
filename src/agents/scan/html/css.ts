import { Html } from "../../../base/html.ts";

/** Light or dark as the reader has it; fonts of the system. */
export const css = new Html(`
:root { color-scheme: light dark; --ground: #f6f7f9; --card: #fff; --line: #e2e5ea; --text: #1b1f27; --soft: #5d6675; --code: #f1f3f6; --deny: #c62f2f; --ask: #a86400; --none: #1f7a4d; }
@media (prefers-color-scheme: dark) { :root { --ground: #11141a; --card: #191d25; --line: #2a303b; --text: #e8ebf0; --soft: #98a2b3; --code: #10131a; --deny: #ff7b72; --ask: #e5a93d; --none: #56d090; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 15px/1.55 system-ui, sans-serif; }
main { max-width: 980px; margin: 0 auto; padding: 48px 24px 64px; }
h1 { font-size: 30px; line-height: 1.2; margin: 4px 0 12px; letter-spacing: -0.01em; }
h2 { font-size: 18px; margin: 36px 0 12px; }
p { margin: 0; }
.eyebrow { color: var(--soft); font: 600 13px/1 ui-monospace, monospace; }
h2::first-letter, .summary::first-letter { text-transform: uppercase; }
.summary { font-size: 18px; color: var(--soft); overflow-wrap: anywhere; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 12px; margin: 28px 0; }
.tile { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 16px 18px; }
.tile b { display: block; font-size: 30px; line-height: 1.1; font-variant-numeric: tabular-nums; }
.tile span { color: var(--soft); }
.tile.deny b { color: var(--deny); } .tile.ask b { color: var(--ask); } .tile.none b { color: var(--none); }
.agents { width: 100%; border-collapse: separate; background: var(--card); border: 1px solid var(--line); border-radius: 12px; border-spacing: 0; overflow: hidden; margin-bottom: 28px; }
th, td { text-align: left; padding: 9px 18px; border-top: 1px solid var(--line); }
thead th { border-top: 0; color: var(--soft); font-weight: 500; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.group { background: var(--card); border: 1px solid var(--line); border-radius: 12px; margin: 12px 0; }
.group > summary { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px; padding: 14px 18px; cursor: pointer; list-style: none; }
.group > summary::-webkit-details-marker { display: none; }
.group > summary::before { content: "›"; color: var(--soft); font-size: 20px; line-height: 1; width: 10px; }
.group[open] > summary::before { transform: rotate(90deg); }
.group > summary b { overflow-wrap: anywhere; }
.group > summary code { margin-left: auto; color: var(--soft); overflow-wrap: anywhere; }
.badge { font: 600 12px/1 ui-monospace, monospace; padding: 5px 8px; border-radius: 6px; border: 1px solid currentColor; }
.badge.deny { color: var(--deny); } .badge.ask { color: var(--ask); } .badge.none, .badge.allow { color: var(--none); }
.reason { color: var(--soft); padding: 0 18px 10px 40px; }
ol { list-style: none; margin: 0; padding: 0; }
li { border-top: 1px solid var(--line); padding: 12px 18px 12px 40px; }
pre { margin: 0 0 6px; padding: 8px 12px; background: var(--code); border-radius: 8px; font: 13px/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 15em; overflow: auto; }
.where, .said { color: var(--soft); font-size: 13px; overflow-wrap: anywhere; }
.calm { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 18px; color: var(--soft); }
.unread ul { margin: 0; padding: 0; } .unread li { border: 0; padding: 3px 0; color: var(--soft); overflow-wrap: anywhere; }
footer { margin-top: 40px; color: var(--soft); font-size: 13px; overflow-wrap: anywhere; }
`);
