/**
 * Cuts a text so that its start and its end survive and the cut is marked with the number of characters left out. The
 * result has at most `maxLength` UTF-16 code units and no half surrogate pair at the cut. What does not even leave room for
 * the mark keeps its start only.
 */
export function shortenText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const widest = mark(text.length).length;
  const room = maxLength - widest;
  if (room < 2) return keepStart(text, maxLength);
  // The start says what a text is, the end what it comes to: two thirds and one third.
  const start = keepStart(text, Math.ceil((room * 2) / 3));
  const end = keepEnd(text, room - Math.ceil((room * 2) / 3));
  return `${start}${mark(text.length - start.length - end.length)}${end}`;
}

/** How a budget is shared by pieces of the given lengths: short ones whole, long ones an equal part of what is left. */
export function shareLength(lengths: readonly number[], budget: number): readonly number[] {
  const order = lengths.map((_, index) => index).sort((a, b) => (lengths[a] ?? 0) - (lengths[b] ?? 0));
  const shares = lengths.map(() => 0);
  let left = budget;
  order.forEach((index, position) => {
    const share = Math.min(lengths[index] ?? 0, Math.floor(left / (order.length - position)));
    shares[index] = share;
    left -= share;
  });
  return shares;
}

function mark(count: number): string {
  return ` … [${count} characters left out] … `;
}

function keepStart(text: string, length: number): string {
  const end = Math.max(0, length);
  return text.slice(0, isInsidePair(text, end) ? end - 1 : end);
}

function keepEnd(text: string, length: number): string {
  const start = text.length - Math.max(0, length);
  return text.slice(isInsidePair(text, start) ? start + 1 : start);
}

function isInsidePair(text: string, index: number): boolean {
  if (index <= 0 || index >= text.length) return false;
  const before = text.charCodeAt(index - 1);
  const after = text.charCodeAt(index);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
