/** The few parts of a browser's page that the script needs; the sources are compiled without the browser's types. */
interface PageElement {
  readonly dataset: Record<string, string | undefined>;
  readonly tagName: string;
  readonly isContentEditable: boolean;
  textContent: string | null;
  focus(options?: { preventScroll?: boolean }): void;
  scrollIntoView(options: { block: string }): void;
  getAttribute(name: string): string | null;
  closest(selector: string): PageElement | null;
  querySelector(selector: string): PageElement | null;
  contains(other: PageElement | null): boolean;
  append(child: PageElement): void;
}
interface PageEvent {
  readonly key: string;
  readonly timeStamp: number;
  readonly target: PageElement;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  preventDefault(): void;
}
interface Page {
  readonly activeElement: PageElement | null;
  readonly hidden: boolean;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  createElement(name: string): PageElement & { href: string };
  addEventListener(type: string, listener: (event: PageEvent) => void): void;
}
interface Place {
  href: string;
  reload(): void;
}
declare const document: Page;
declare const location: Place;
interface Events {
  addEventListener(type: string, listener: () => void): void;
  close(): void;
}
declare const EventSource: new (url: string) => Events;

/**
 * What a browser adds when it runs scripts; nothing depends on it. Keys never decide by themselves: `a` and `d` only put the
 * focus on a button, and input in the first moments after a page appears is ignored.
 */
function inboxPage(): void {
  const main = document.querySelector('#main');
  const status = document.querySelector('#status');
  const all = (selector: string): PageElement[] => [...document.querySelectorAll(selector)];
  const born = performance.now();
  let typed = false;

  for (const time of all('time[data-local]')) {
    const at = new Date(time.getAttribute('datetime') ?? '');
    time.textContent = at.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  }

  document.addEventListener('input', () => {
    typed = true;
  });
  document.addEventListener('submit', (event) => {
    if (event.target.closest('.decide,.together') !== null && performance.now() - born < 700) event.preventDefault();
  });

  const move = (step: number): void => {
    const cards = all('[data-row],[data-call=waits]');
    const now = cards.findIndex((card) => card.contains(document.activeElement));
    const next = cards[Math.min(cards.length - 1, Math.max(0, now < 0 ? 0 : now + step))];
    next?.focus({ preventScroll: true });
    next?.scrollIntoView({ block: 'nearest' });
  };
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (/INPUT|TEXTAREA|SELECT/.test(event.target.tagName)) return;
    if (event.key === 'j' || event.key === 'k') move(event.key === 'j' ? 1 : -1);
    else if (event.key === '/' || event.key === 'a' || event.key === 'd') {
      const card = document.activeElement?.closest('[data-call]');
      const scope = event.key === '/' ? document : (card ?? document);
      const found = scope.querySelector(`[data-key="${event.key}"]`);
      if (found === null) return;
      event.preventDefault();
      found.scrollIntoView({ block: 'center' });
      found.focus();
    }
  });

  const version = main?.dataset['version'];
  if (main === null || version === undefined) return;
  const look = async (): Promise<void> => {
    if (document.hidden) return;
    const answer = await fetch(location.href, { headers: { 'x-toolgate-look': '1' } });
    const found = /data-version="(\w+)"/.exec(await answer.text())?.[1];
    if (found === undefined || found === version) return;
    if (main.dataset['follow'] === 'yes' && !typed) return location.reload();
    if (status === null || status.textContent !== '') return;
    const link = document.createElement('a');
    link.href = location.href;
    link.textContent = 'Something changed here. Show it.';
    status.append(link);
  };
  const tryLook = (): void => {
    look().catch(() => undefined);
  };
  const changes = main.dataset['changes'];
  // A browser opens few connections to one host: pages in the background give theirs back.
  let events: Events | undefined;
  const listen = (): void => {
    events?.close();
    events = undefined;
    if (document.hidden || changes === undefined) return;
    events = new EventSource(changes);
    events.addEventListener('message', tryLook);
    tryLook();
  };
  listen();
  document.addEventListener('visibilitychange', listen);
  setInterval(tryLook, main.dataset['follow'] === 'yes' ? 2000 : 10_000);
}

/** The script as served, without indentation and comments. Made from the compiled function, so that there is no second build. */
export const browserScript: string = `(${inboxPage.toString().replaceAll(/^[ \t]+(?:\/\/.*)?/gm, '')})();\n`;
