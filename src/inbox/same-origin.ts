/**
 * Whether a request that changes something comes from a page of ours. Browsers send `Sec-Fetch-Site`, which no page can set;
 * older ones send `Origin` alone. With `Referrer-Policy: no-referrer` the origin of an own form is `null`, which says nothing.
 * A request with neither header is refused: programs use the HTTP interface.
 */
export function isSameOrigin(request: Request, publicOrigins: readonly string[]): boolean {
  const site = request.headers.get('sec-fetch-site');
  const origin = request.headers.get('origin');
  if (site !== null && site !== 'same-origin') return false;
  if (origin === null || origin === 'null') return site === 'same-origin';
  if (publicOrigins.includes(origin) || origin === new URL(request.url).origin) return true;
  const host = request.headers.get('host');
  return host !== null && URL.canParse(origin) && new URL(origin).host === host;
}
