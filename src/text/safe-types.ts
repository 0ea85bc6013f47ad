import type { Digest } from '../core/digest.ts';

/**
 * Safe display of untrusted values: names, descriptions, arguments and results that strangers wrote and a person reads
 * before deciding. The `safe-*` files turn a value into a tree of inert segments; renderers turn the tree into text.
 */

/** A piece of a text. All pieces in order give back the original exactly (see {@link originalText}). */
export type SafeSegment =
  /** Printable as it is. */
  | { readonly kind: 'text'; readonly text: string }
  /** Printable, but not what it looks like. `reads` says what it really is, in ASCII. */
  | { readonly kind: 'lookalike'; readonly text: string; readonly reads: string }
  /** A code point that would be invisible or would change its neighbours. `label` is ASCII, for example `U+202E` or `tab`. */
  | { readonly kind: 'hidden'; readonly code: number; readonly label: string; readonly name: string }
  /** A run of spaces too long, or in the wrong place, to be seen. */
  | { readonly kind: 'spaces'; readonly count: number }
  | { readonly kind: 'newline' };

/** The middle of a long text. Not shown at first, never dropped. */
export interface SafeFold {
  /** UTF-16 units that are folded away. */
  readonly characters: number;
  /** The folded part as it came: not inert. `foldedSegments` makes it fit to be shown. */
  readonly original: string;
  /** Digest of the whole text, folded or not. */
  readonly digest: Digest;
  /** What the whole seems to be, for example `PNG image, base64, 1,536 bytes`; null for text. */
  readonly kind: string | null;
}

/** A text made inert. */
export interface SafeText {
  /** UTF-16 units of the original. */
  readonly length: number;
  readonly head: readonly SafeSegment[];
  /** Null when nothing is folded; then `tail` is empty. */
  readonly fold: SafeFold | null;
  readonly tail: readonly SafeSegment[];
}

/** A value as a tree. Depth and size are bounded; what is beyond the bounds stands as a `note` that says how much. */
export type SafeNode =
  | { readonly type: 'string'; readonly text: SafeText }
  /** Number, boolean, null, undefined, bigint. */
  | { readonly type: 'scalar'; readonly text: string }
  | { readonly type: 'list'; readonly items: readonly SafeNode[] }
  | { readonly type: 'map'; readonly entries: readonly { readonly key: SafeText; readonly value: SafeNode }[] }
  /** toolgate's own words in place of something that cannot be shown here: a getter, a cycle, the rest of a huge list. */
  | { readonly type: 'note'; readonly text: string };

/** Why a person should look twice. */
export type SafeWarningKind =
  | 'direction'
  | 'invisible'
  | 'control'
  | 'private-use'
  | 'broken-text'
  | 'spaces'
  | 'look-alike'
  | 'host-name'
  | 'not-shown';

/** One finding. `message` and `path` are inert, on one line. */
export interface SafeWarning {
  readonly kind: SafeWarningKind;
  /** JSON Pointer into the value; empty for the value itself. */
  readonly path: string;
  readonly message: string;
}

/** What {@link safeDisplay} gives. */
export interface SafeDisplay {
  readonly root: SafeNode;
  readonly warnings: readonly SafeWarning[];
  /** False when something stands as a note because it is beyond a bound or not data. Folded texts are complete. */
  readonly complete: boolean;
  /** How many texts are folded. */
  readonly folded: number;
}

export interface SafeTextOptions {
  /** Longest text that is not folded, in UTF-16 units. Default 2,000; `Infinity` folds nothing. */
  readonly maxLength?: number | undefined;
}

export interface SafeDisplayOptions extends SafeTextOptions {
  /** Levels of lists and objects. Default 32. */
  readonly maxDepth?: number | undefined;
  /** Values in all. Default 5,000. */
  readonly maxNodes?: number | undefined;
}
