import { describeCharacter, hiddenCharacter, longRun, warningFor } from './safe-characters.ts';
import { splitLookalikes } from './safe-lookalikes.ts';
import { safeLine } from './safe-plain.ts';
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

/** What a person should know of a text, the folded part included. At most one warning of each kind. */
export function textWarnings(text: SafeText, path: string): readonly SafeWarning[] {
  const found = new Map<SafeWarningKind, Set<string>>();
  const note: Note = (kind, what) => {
    const known = found.get(kind) ?? new Set();
    found.set(kind, known.add(what));
  };
  for (const segment of text.head) inspect(segment, note);
  if (text.fold !== null) inspectFolded(text.fold.original, note);
  for (const segment of text.tail) inspect(segment, note);
  return [...found].map(([kind, what]) => ({
    kind,
    path: safeLine(path),
    message: `${sentences[kind]}: ${list(what)}`,
  }));
}

type Note = (kind: SafeWarningKind, what: string) => void;

const hidden = new RegExp(hiddenCharacter.source, 'u');
const longRuns = new RegExp(` {${longRun},}`, 'g');
const hiddenRuns = new RegExp(`(?:${hiddenCharacter.source})+`, 'gu');

/** The same findings as {@link inspect} of every segment, without making millions of segments of a hostile text. */
function inspectFolded(text: string, note: Note): void {
  for (const run of text.match(longRuns) ?? []) note('spaces', `${run.length}`);
  const unusual = text.replaceAll(/[\n -~]+/g, ' ');
  if (unusual.trim() === '') return;
  for (const character of new Set(unusual)) {
    if (!hidden.test(character)) continue;
    const code = character.codePointAt(0) ?? 0;
    const kind = warningFor(code);
    const { label, name } = describeCharacter(code);
    if (kind !== null) note(kind, `${label} ${name}`);
  }
  // Each word once: a long text repeats itself.
  const words = [...new Set(text.replaceAll(hiddenRuns, ' ').split(/[ \n]+/))].join(' ');
  for (const segment of splitLookalikes(words)) inspect(segment, note);
}

function inspect(segment: SafeSegment, note: Note): void {
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
