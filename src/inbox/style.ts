/** The icon: a gate with one bar. */
export const icon: string = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f5d63"/><path d="M9 24V8M23 24V8M9 16h14" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>`;

/** The one style sheet: two colour schemes, one column, no fonts from elsewhere. */
export const style: string = `
:root {
  --page: #f5f6f7; --card: #ffffff; --text: #1b2226; --soft: #5c686f; --line: #dde2e5; --field: #87939a; --faint: #f0f2f4;
  --accent: #1f5d63; --accent-text: #ffffff; --accent-soft: #e3eff0;
  --good: #1d6b3f; --good-soft: #e4f3ea; --bad: #a32a21; --bad-soft: #fbeae8;
  --wait: #7d5203; --wait-soft: #fdf2dc; --doubt: #6a3d9a; --doubt-soft: #f1eafa; --go: #1c5687; --go-soft: #e5f0f9;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif;
  color-scheme: light;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #101416; --card: #181e21; --text: #e4e9eb; --soft: #9aa7ad; --line: #2b3439; --field: #65737a; --faint: #20282c;
    --accent: #6fb9bf; --accent-text: #0c1a1c; --accent-soft: #1b3134;
    --good: #7fcf9f; --good-soft: #16301f; --bad: #f19a92; --bad-soft: #3a1d1a;
    --wait: #e6bd6c; --wait-soft: #352a12; --doubt: #c6a5ee; --doubt-soft: #2c2139; --go: #86bdec; --go-soft: #162b3d;
    color-scheme: dark;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.55 var(--sans); }
main { max-width: 60rem; margin: 0 auto; padding: 1.75rem 1.25rem 5rem; outline: none; }
h1 { font-size: 1.55rem; line-height: 1.25; letter-spacing: -0.015em; margin: 0 0 1.1rem; font-weight: 650; overflow-wrap: anywhere; }
h2 { font-size: 1.06rem; line-height: 1.35; margin: 0; font-weight: 620; overflow-wrap: anywhere; }
h3 { font-size: 0.78rem; font-weight: 620; color: var(--soft); margin: 1.15rem 0 0.45rem; letter-spacing: 0.01em; }
p { margin: 0 0 0.75rem; }
a { color: var(--accent); text-underline-offset: 0.18em; text-decoration-thickness: 0.06em; }
a:hover { text-decoration-thickness: 0.12em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
code, .mono, .call h2, .call-name { font-family: var(--mono); font-size: 0.93em; }
.fine { color: var(--soft); font-size: 0.86rem; font-weight: 400; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: 0.5rem; background: var(--card); padding: 0.4rem 0.8rem; z-index: 2; }

.top { background: var(--card); border-bottom: 1px solid var(--line); }
.bar { max-width: 60rem; margin: 0 auto; padding: 0 1.25rem; display: flex; align-items: center; gap: 0.35rem 1.6rem; min-height: 3.4rem; flex-wrap: wrap; }
.brand { display: inline-flex; align-items: center; gap: 0.5rem; font-weight: 680; letter-spacing: -0.01em; color: var(--text); text-decoration: none; }
.gate { width: 1.05rem; height: 1.05rem; border: solid var(--accent); border-width: 0 0.2rem; background: linear-gradient(var(--accent), var(--accent)) center / 100% 0.2rem no-repeat; border-radius: 2px; }
.bar nav { display: flex; gap: 0.2rem; }
.bar nav a { color: var(--soft); text-decoration: none; padding: 0.3rem 0.65rem; border-radius: 6px; font-size: 0.94rem; }
.bar nav a:hover { background: var(--faint); color: var(--text); }
.bar nav a[aria-current] { color: var(--text); background: var(--faint); font-weight: 600; }
.who { margin-left: auto; display: flex; gap: 0.8rem; align-items: baseline; font-size: 0.86rem; color: var(--soft); }
button.link { border: 0; background: none; color: var(--accent); padding: 0; font: inherit; cursor: pointer; text-decoration: underline; text-underline-offset: 0.18em; }
.status { max-width: 60rem; margin: 0 auto; padding: 0 1.25rem; }
.status:not(:empty) { padding-top: 1rem; margin-bottom: -0.75rem; font-weight: 600; }

.card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1.25rem 1.4rem; margin: 0 0 1rem; }
.narrow { max-width: 27rem; margin: 9vh auto 0; }
.login label { display: block; font-weight: 600; font-size: 0.9rem; margin-bottom: 0.3rem; }
.login h1 { margin-bottom: 0.4rem; }
.login p { color: var(--soft); }
.login .wide { width: 100%; margin-top: 1rem; }
.nothing { text-align: center; color: var(--soft); padding: 4rem 1rem; border: 1px dashed var(--line); border-radius: 12px; }
.nothing p { margin: 0 0 0.3rem; }
.crumb { font-size: 0.9rem; margin-bottom: 0.6rem; }
.crumb a { text-decoration: none; }

.badges { display: inline-flex; gap: 0.4rem; flex-wrap: wrap; align-items: center; }
.badge { --tone: var(--soft); --tint: var(--faint); display: inline-block; font: 600 0.76rem/1.5 var(--sans); padding: 0.1rem 0.55rem; border-radius: 99px; color: var(--tone); background: var(--tint); border: 1px solid transparent; white-space: nowrap; }
.badge.outline { background: transparent; border-color: currentColor; font-weight: 500; }
.good { --tone: var(--good); --tint: var(--good-soft); }
.bad { --tone: var(--bad); --tint: var(--bad-soft); }
.wait { --tone: var(--wait); --tint: var(--wait-soft); }
.doubt { --tone: var(--doubt); --tint: var(--doubt-soft); }
.go { --tone: var(--go); --tint: var(--go-soft); }
.badge.good, .badge.bad, .badge.wait, .badge.doubt, .badge.go { color: var(--tone); }
.badge.outline.good, .badge.outline.bad, .badge.outline.wait { background: transparent; }
.badge.outline.quiet { border-color: var(--line); }
.notice { border-left: 4px solid var(--tone); background: var(--tint); padding: 0.65rem 0.95rem; border-radius: 0 8px 8px 0; margin: 0.9rem 0; overflow-wrap: anywhere; }
.notice strong { color: var(--tone); }
.notice ul { margin: 0.25rem 0 0; padding-left: 1.15rem; font-size: 0.92rem; }

.tools { display: flex; gap: 0.7rem 1rem; align-items: center; justify-content: space-between; flex-wrap: wrap; margin-bottom: 1.15rem; }
.tabs { display: flex; gap: 0.2rem; flex-wrap: wrap; }
.tabs a { text-decoration: none; color: var(--soft); padding: 0.35rem 0.7rem; border-radius: 8px; font-size: 0.93rem; }
.tabs a:hover { background: var(--faint); color: var(--text); }
.tabs a[aria-current] { background: var(--accent-soft); color: var(--accent); font-weight: 620; }
.count { margin-left: 0.4rem; font-size: 0.78rem; font-variant-numeric: tabular-nums; padding: 0.05rem 0.42rem; border-radius: 99px; background: var(--wait-soft); color: var(--wait); font-weight: 650; }
.search { display: flex; gap: 0.5rem; flex: 1 1 17rem; max-width: 30rem; }
form.tools.search { max-width: none; flex-wrap: nowrap; }
.search input { flex: 1 1 auto; min-width: 0; }
input, textarea, select { font: inherit; color: var(--text); background: var(--card); border: 1px solid var(--field); border-radius: 8px; padding: 0.5rem 0.7rem; width: 100%; }
select { width: auto; }
input[type="checkbox"] { width: 1.1rem; height: 1.1rem; vertical-align: -0.18rem; margin-right: 0.45rem; accent-color: var(--accent); }
input::placeholder { color: var(--soft); opacity: 0.85; }
textarea { font: 0.88rem/1.5 var(--mono); resize: vertical; display: block; margin-bottom: 0.7rem; }
.button { display: inline-block; font: 600 0.93rem/1.2 var(--sans); color: var(--text); background: var(--card); border: 1px solid var(--field); border-radius: 8px; padding: 0.62rem 1.05rem; cursor: pointer; text-decoration: none; text-align: center; }
.button:hover { background: var(--faint); }
.button.approve { background: var(--accent); border-color: var(--accent); color: var(--accent-text); }
.button.approve:hover { filter: brightness(1.08); }
.button.deny { color: var(--bad); border-color: var(--bad); background: var(--card); }
.button.deny:hover { background: var(--bad-soft); }

.list, .calls { list-style: none; margin: 0; padding: 0; }
.row-card { padding: 1rem 1.25rem; margin-bottom: 0.7rem; position: relative; }
.row-card:hover { border-color: var(--accent); }
.row-card h2 a { color: var(--text); text-decoration: none; }
.row-card h2 a::after { content: ""; position: absolute; inset: 0; border-radius: 12px; }
.row-card h2 a:focus-visible { outline: none; }
.row-card h2 a:focus-visible::after { outline: 3px solid var(--accent); outline-offset: 2px; }
.row-head { display: flex; justify-content: space-between; gap: 0.2rem 1rem; align-items: baseline; flex-wrap: wrap; }
.row-head p { margin: 0; }
.deadline { color: var(--wait); font-weight: 550; }
.calls { margin-top: 0.6rem; border-top: 1px solid var(--line); }
.calls > li { padding: 0.55rem 0 0; display: grid; grid-template-columns: minmax(9rem, 15rem) 1fr auto; gap: 0.2rem 1rem; align-items: baseline; }
.calls > li.fine { display: block; }
.calls.single > li { grid-template-columns: 1fr auto; }
.call-name { overflow-wrap: anywhere; font-weight: 550; }
.summary { font: 0.84rem/1.5 var(--mono); color: var(--soft); overflow-wrap: anywhere; unicode-bidi: isolate; }
.next { margin-top: 1.2rem; text-align: center; }

.facts { display: flex; flex-wrap: wrap; gap: 0.6rem 2.2rem; margin: 0 0 1.2rem; }
.until { margin: 0 0 1.2rem; }
.facts dt { font-size: 0.78rem; color: var(--soft); }
.facts dd { margin: 0; overflow-wrap: anywhere; }
.call > header { display: flex; justify-content: space-between; align-items: start; gap: 0.5rem 1rem; flex-wrap: wrap; }
.call h2 { font-size: 1.14rem; font-weight: 650; }
.origin { color: var(--soft); font-size: 0.9rem; margin: 0.1rem 0 0; overflow-wrap: anywhere; }
.why { margin: 0.9rem 0 0; }
.label { color: var(--soft); font-size: 0.86rem; margin-right: 0.35rem; }
h3 .aside { float: right; font-weight: 400; }
.value { background: var(--faint); border-radius: 8px; padding: 0.75rem 0.95rem; }
.entries, .items { margin: 0; }
.entry { display: grid; grid-template-columns: minmax(5rem, 11rem) minmax(0, 1fr); gap: 0.1rem 1rem; padding: 0.32rem 0; }
.entry + .entry { border-top: 1px solid var(--line); }
.entry dt { font: 0.86rem/1.6 var(--mono); color: var(--soft); overflow-wrap: anywhere; }
.entry dd { margin: 0; min-width: 0; }
.items { padding-left: 1.6rem; }
.items > li::marker { color: var(--soft); font-size: 0.82rem; }
.text { font: 0.9rem/1.55 var(--mono); white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate; }
.lines { border-left: 2px solid var(--line); padding-left: 0.75rem; }
.text bdi, .scalar { unicode-bidi: isolate; }
.scalar { color: var(--go); }
.empty { color: var(--soft); font-style: italic; margin: 0; }
.mark { font: 600 0.8em/1.4 var(--mono); color: var(--bad); background: var(--bad-soft); border-radius: 4px; padding: 0.05em 0.25em; white-space: normal; unicode-bidi: isolate; }
.mark.calm { color: var(--soft); background: transparent; border: 1px solid var(--line); font-weight: 500; }
.lookalike { text-decoration: underline wavy var(--bad); text-underline-offset: 0.2em; }
.fold > summary { color: var(--go); background: var(--go-soft); border-radius: 6px; padding: 0.2rem 0.6rem; margin: 0.35rem 0; white-space: normal; }
details > summary { cursor: pointer; }
.block { margin-top: 1rem; }
.block > summary, .more > summary { font-size: 0.9rem; color: var(--accent); width: fit-content; }
.block[open] > summary, .more[open] > summary { margin-bottom: 0.6rem; }
.quoted .text { color: var(--soft); }
section.quoted .text { color: var(--text); }
.end { margin-top: 1.1rem; }
.end p { margin: 0 0 0.4rem; overflow-wrap: anywhere; }
.decide { margin-top: 1.25rem; padding-top: 1.15rem; border-top: 1px solid var(--line); }
.row { display: flex; gap: 0.9rem 1rem; align-items: end; flex-wrap: wrap; }
.grow { flex: 1 1 18rem; }
.field label, .more label { display: block; font-size: 0.9rem; font-weight: 550; margin-bottom: 0.3rem; }
.buttons { display: flex; gap: 0.7rem; }
.buttons .button { min-width: 7.2rem; padding: 0.66rem 1.1rem; }
.buttons.start { margin-bottom: 0.7rem; flex-wrap: wrap; }
.more { margin-top: 0.95rem; }
.pick { margin: 1rem 0 0; font-size: 0.93rem; }
.apart { margin: 1.4rem 0 1.6rem; }
.call > footer { margin-top: 1.1rem; font-size: 0.78rem; }
.together p { color: var(--soft); font-size: 0.92rem; margin: 0.2rem 0 0.8rem; }
.timeline { margin: 0.6rem 0 0; padding: 0 0 0 1.1rem; font-size: 0.92rem; }
.timeline time { color: var(--soft); margin-right: 0.4rem; }

fieldset { border: 0; margin: 0 0 0.9rem; padding: 0; display: flex; flex-wrap: wrap; gap: 0.2rem 1.4rem; }
legend { float: left; width: 100%; padding: 0; font-size: 0.78rem; color: var(--soft); margin-bottom: 0.15rem; }
.card > h2, .card > .row-head { margin-bottom: 0.45rem; }
input[type="radio"] { width: 1.05rem; height: 1.05rem; vertical-align: -0.15rem; margin-right: 0.4rem; accent-color: var(--accent); }
.next-step { margin: 1.1rem 0 0; }
.scroll { overflow-x: auto; padding: 0.3rem 0.4rem; }
table { border-collapse: collapse; width: 100%; font-size: 0.92rem; }
th { text-align: left; font-size: 0.78rem; font-weight: 600; color: var(--soft); padding: 0.6rem 0.8rem; white-space: nowrap; }
td { padding: 0.65rem 0.8rem; border-top: 1px solid var(--line); vertical-align: top; }
td.summary { min-width: 15rem; max-width: 24rem; }
td.when { white-space: nowrap; color: var(--soft); }
.tool .quoted { margin-top: 0.55rem; }
.tool .text { font-family: var(--sans); border: 0; padding: 0; }
.tool p { margin: 0.15rem 0 0; }
.tool .detail { margin-top: 0.45rem; overflow-wrap: anywhere; }
.rank { display: inline-block; min-width: 1.5rem; color: var(--soft); font-weight: 500; }
.score { display: flex; gap: 0.8rem; align-items: center; flex-wrap: wrap; font-variant-numeric: tabular-nums; font-size: 0.9rem; }
meter { width: 9rem; height: 0.8rem; border-radius: 99px; background: var(--faint); border: 1px solid var(--line); overflow: hidden; }
meter::-webkit-meter-bar { background: var(--faint); border: 0; border-radius: 0; }
meter::-webkit-meter-optimum-value { background: var(--accent); }
meter::-moz-meter-bar { background: var(--accent); }

@media (max-width: 40rem) {
  main { padding: 1.2rem 0.9rem 4rem; }
  .bar { padding: 0.45rem 0.9rem; }
  .bar nav { order: 3; width: 100%; margin-left: -0.3rem; }
  .card { padding: 1rem 1rem; }
  .calls > li, .calls.single > li { grid-template-columns: 1fr; padding-top: 0.7rem; }
  .entry { grid-template-columns: 1fr; }
  .buttons { width: 100%; }
  .buttons .button { flex: 1 1 0; min-width: 0; min-height: 3rem; }
  .search { max-width: none; flex-basis: 100%; }
  form.tools.search:has(select) { flex-wrap: wrap; }
  form.tools.search:has(select) input { flex-basis: 100%; }
  form.tools.search select { flex: 1 1 auto; }
}
@media (prefers-reduced-motion: no-preference) {
  .button, .tabs a, .bar nav a, .row-card { transition: background-color 0.12s, border-color 0.12s; }
}
@media print {
  .top, .decide, .together, .more, .search { display: none; }
}
`;
