/** Runs in the page: text with too little contrast, fields without a label, repeated ids, headings, sideways scrolling, small targets. */
export const pageFaults: string = `(() => {
  const faults = [];
  for (const details of document.querySelectorAll('details')) details.open = true;
  const parse = (color) => (color.match(/[\\d.]+/g) ?? []).map(Number);
  const light = (color) => {
    const [r, g, b] = parse(color).map((value) => { const c = value / 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let at = element; at !== null; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor;
      if (parse(color)[3] !== 0) return color;
    }
    return 'rgb(255, 255, 255)';
  };
  for (const element of document.querySelectorAll('body *')) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '');
    if (!own || element.getClientRects().length === 0) continue;
    const [a, b] = [light(getComputedStyle(element).color), light(behind(element))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) faults.push('contrast ' + contrast.toFixed(2) + ': ' + element.textContent.trim().slice(0, 40));
  }
  for (const field of document.querySelectorAll('input:not([type=hidden]), textarea, select')) {
    if (field.labels.length === 0) faults.push('no label: ' + field.name);
  }
  const ids = [...document.querySelectorAll('[id]')].map((element) => element.id);
  for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) faults.push('id twice: ' + id);
  if (document.querySelectorAll('h1').length !== 1) faults.push('headings of level 1: ' + document.querySelectorAll('h1').length);
  if (document.documentElement.scrollWidth > innerWidth) faults.push('wider than the window: ' + document.documentElement.scrollWidth);
  for (const button of document.querySelectorAll('button.button')) {
    const box = button.getBoundingClientRect();
    if (box.height < 32 || box.width < 44) faults.push('small button: ' + button.textContent);
  }
  if (document.activeElement !== document.body) faults.push('the focus was taken by ' + document.activeElement.tagName);
  return faults;
})()`;
