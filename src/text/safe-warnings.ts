import { warningFor } from './safe-characters.ts';
import { safeLine } from './safe-plain.ts';
import { segmentText } from './safe-segments.ts';
import type { SafeSegment, SafeText, SafeWarning, SafeWarningKind } from './safe-types.ts';

const sentences: Readonly<Record<SafeWarningKind, string>> = {
  direction: 'Characters that change the direction of writing',
  invisible: 'Invisible characters',
  control: 'Control characters',
  'private-use': 'Characters without a public meaning',
  'broken-text': 'Halves of characters',
  spaces: 'A long run of spaces',
  'look-alike': 'Letters that look like others',
  'host-name': 'A host name with letters outside ASCII',
  'not-shown': 'Not shown here',
};

/** Spaces that push text out of sight. */
const longRun = 24;

/** What a person should know of a text, the folded part included. At most one warning of each kind. */
export function textWarnings(text: SafeText, path: string): readonly SafeWarning[] {
  const found = new Map<SafeWarningKind, Set<string>>();
  const note = (kind: SafeWarningKind, what: string): void => {
    const known = found.get(kind) ?? new Set();
    found.set(kind, known.add(what));
  };
  for (const segment of text.head) inspect(segment, note);
  if (text.fold !== null) for (const segment of segmentText(text.fold.original)) inspect(segment, note);
  for (const segment of text.tail) inspect(segment, note);
  return [...found].map(([kind, what]) => ({
    kind,
    path: safeLine(path),
    message: `${sentences[kind]}: ${list(what)}`,
  }));
}

function inspect(segment: SafeSegment, note: (kind: SafeWarningKind, what: string) => void): void {
  if (segment.kind === 'hidden') {
    const kind = warningFor(segment.code);
    if (kind !== null) note(kind, `${segment.label} ${segment.name}`);
  } else if (segment.kind === 'spaces' && segment.count >= longRun) {
    note('spaces', `${segment.count}`);
  } else if (segment.kind === 'lookalike') {
    note(segment.reads.startsWith('host ') ? 'host-name' : 'look-alike', `"${segment.text}" is ${segment.reads}`);
  }
}

function list(what: ReadonlySet<string>): string {
  const all = [...what];
  const first = all.slice(0, 4).join(', ');
  return all.length > 4 ? `${first} and ${all.length - 4} more` : first;
}
