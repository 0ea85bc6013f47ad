const colours = {
  light: ['#2a78d6', '#eb6834', '#1a9e6f', '#c98500', '#4a3aa7', '#d0393a', '#c9568a', '#5a7d0c'],
  dark: ['#4f9bf0', '#ee8a5c', '#3fbf8e', '#d9a32e', '#9a8cf0', '#ee6b6b', '#e488b3', '#9cc24a'],
};

function variables(list: readonly string[]): string {
  return list.map((colour, index) => `--c${index}:${colour};`).join('');
}

/** The report's own style: light and dark, narrow and wide, nothing from outside. */
export const reportStyle: string = `
:root{--ink:#1c2126;--soft:#5a646e;--line:#d9dee3;--card:#fff;--page:#f4f6f8;--good:#17764f;--bad:#b3261e;${variables(colours.light)}}
@media (prefers-color-scheme:dark){:root{--ink:#e8ecf0;--soft:#9aa5b0;--line:#353d45;--card:#1d2329;--page:#14181c;--good:#5fd0a0;--bad:#ff8a80;${variables(colours.dark)}}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
main{max-width:1240px;margin:0 auto;padding:28px 20px 60px}
h1{font-size:26px;margin:0 0 4px;letter-spacing:-.01em}h2{font-size:17px;margin:0 0 2px}
p{margin:0 0 10px}.soft{color:var(--soft)}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:12px;margin:20px 0}
.tile,.card{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:14px 16px}
.tile b{display:block;font-size:25px;font-weight:650;letter-spacing:-.02em;font-variant-numeric:tabular-nums}
.tile span{color:var(--soft);font-size:13px}
.grid2{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,480px),1fr));gap:14px;align-items:start}
.card{margin:0 0 14px;overflow-x:auto}.grid2 .card{margin:0}
svg{display:block;width:100%;height:auto;max-width:640px;margin:6px auto 0}
svg text{fill:var(--soft);font:11.5px system-ui,-apple-system,"Segoe UI",sans-serif;font-variant-numeric:tabular-nums}
svg .label{fill:var(--ink);font-size:12px}svg .strong{font-weight:700}svg .value{fill:var(--ink);font-size:11px}
svg .grid{stroke:var(--line);stroke-width:1}svg .axis{stroke:var(--soft);stroke-width:1}
svg .line{fill:none;stroke-width:1.8;stroke-linejoin:round}svg .line.mean{stroke:var(--ink);stroke-width:3.2}
svg .dot.mean{fill:var(--ink)}svg .whisker{stroke:var(--ink);stroke-width:1.2;opacity:.65}
svg .median{fill:var(--card);stroke:var(--ink);stroke-width:1.6}svg .diagonal{stroke:var(--soft);stroke-dasharray:5 4}
${colours.light.map((_, index) => `svg .line.c${index}{stroke:var(--c${index})}svg .dot.c${index},svg .bar.c${index}{fill:var(--c${index})}.key.c${index}{background:var(--c${index})}`).join('')}
.legend{display:flex;flex-wrap:wrap;gap:4px 14px;margin:8px 0 0;font-size:13px;color:var(--soft)}
.key{display:inline-block;width:12px;height:12px;border-radius:3px;margin-right:5px;vertical-align:-1px}.key.mean{background:var(--ink)}
table{border-collapse:collapse;width:100%;font-size:13.5px;font-variant-numeric:tabular-nums;margin-top:8px}
th,td{padding:5px 9px;text-align:right;border-bottom:1px solid var(--line);white-space:nowrap}
th{color:var(--soft);font-weight:600}th:first-child,td:first-child{text-align:left}
tr.sum td{font-weight:700;border-top:2px solid var(--soft)}
td.wrap{white-space:normal;text-align:left;min-width:220px}td.left,th.left{text-align:left}
.better{color:var(--good);font-weight:650}.worse{color:var(--bad);font-weight:650}
details{margin:8px 0}summary{cursor:pointer;font-weight:600}code{font:12.5px ui-monospace,Consolas,monospace;overflow-wrap:anywhere}
`.trim();
