/**
 * Every code an error of toolgate can carry. `data` says what the error's `data` holds; the message always says what
 * happened, where, and what to do.
 */
export type ToolgateErrorCode =
  /** An option of a constructor or function is wrong. data: `{ option }`. Correct the call. */
  | 'invalid-option'
  /** A tool's definition cannot be used. data: `{ tool, provider? }`. Mend the definition; other tools are not affected. */
  | 'invalid-tool'
  /** A schema cannot be used. data: `{ tool?, path }`. */
  | 'invalid-schema'
  /** Two tools of the host have one name. data: `{ tool }`. Rename one of them. */
  | 'duplicate-tool'
  /** No tool of this name is known. data: `{ tool, known? }`. */
  | 'unknown-tool'
  /** The caller may not do this. data: `{ action }`. */
  | 'not-permitted'
  /** A provider threw or gave something unusable. data: `{ provider }`. Its tools are missing, others are not affected. */
  | 'provider-failed'
  /** Calls of a reply wait for a decision. data: `{ toolCallIds, pause? }`. Collect decisions, then execute with them. */
  | 'confirmation-required'
  /** No decision for a call that waits. data: `{ keys }`. Nothing was run. */
  | 'decision-missing'
  /** A decision names no call of the reply. data: `{ key, known }`. Nothing was run. */
  | 'decision-unknown-key'
  /** A decision for a call that needs none. data: `{ key }`. Nothing was run. */
  | 'decision-not-needed'
  /** Two decisions for one call. data: `{ key }`. Nothing was run. */
  | 'decision-duplicate'
  /** The decision differs from the one already recorded. data: `{ key, by, at }`. The first one stands. */
  | 'decision-conflict'
  /** The tool, its schema, the policy or the arguments changed since the question was asked. data: `{ key, reason }`. Ask again. */
  | 'decision-stale'
  /** A decision has an unknown kind, or edited arguments that do not fit the tool. data: `{ key, issues? }`. */
  | 'decision-invalid'
  /** No pause of this id. data: `{ pause }`. Absence is never consent: nothing was run. */
  | 'pause-not-found'
  /** The pause has ended. data: `{ pause, state }`. */
  | 'pause-settled'
  /** Another process runs this call now. data: `{ key, since }`. Ask again later for the outcome. */
  | 'call-running'
  /** A call cannot go from one state to another. data: `{ from, event }`. */
  | 'illegal-transition'
  /** A claim or result came with an outdated fence. data: `{ key, fence, current }`. */
  | 'claim-lost'
  /** A sealed token is not one of ours, was changed, or belongs to somebody or something else. No data, on purpose. */
  | 'token-invalid'
  /** A sealed token is past its time. No data. */
  | 'token-expired'
  /** A store could not read or write. data: `{ operation }`. */
  | 'store-failed'
  /** The store was made by a newer version. data: `{ found, supported }`. */
  | 'store-newer'
  /** The store was closed. */
  | 'store-closed'
  /** The decision model could not be reached or answered with an error. data: `{ provider, status?, retryable }`. */
  | 'decision-model-failed'
  /** The decision model took too long. data: `{ provider, timeoutMs }`. */
  | 'decision-model-timeout'
  /** The decision model's answer does not fit the request. Never retried. data: `{ provider, question? }`. */
  | 'decision-model-invalid-response'
  /** The decision model refused to answer. data: `{ questions }`. */
  | 'decision-model-refused'
  /** A request is larger than the decision model takes, or of a kind it does not know. data: `{ limit }`. */
  | 'decision-model-unsupported'
  /** The selection failed and its fallback is `fail`. data: `{ failures }`. */
  | 'selection-failed'
  /** The arguments of a search are unusable. data: `{ argument }`. The text goes back to the model. */
  | 'search-arguments'
  /** A search strategy could not search. data: `{ strategy }`. The search service falls back to words alone. */
  | 'search-failed'
  /** An optional package is needed and not installed, or too old. data: `{ package, range }`. */
  | 'peer-missing'
  /** A configuration file is wrong. data: `{ file, line?, column?, path? }`. */
  | 'config-invalid'
  /** The caller gave up. data: `{}`. */
  | 'aborted'
  /** Something took too long. data: `{ timeoutMs }`. */
  | 'timeout'
  /** The loop went round too often. data: `{ limit }`. */
  | 'round-limit'
  /** An upstream server is not there. data: `{ server }`. */
  | 'upstream-unavailable'
  /** An upstream server answered with a protocol error. data: `{ server, code? }`. */
  | 'upstream-failed'
  /** Data of an evaluation set is wrong. data: `{ file, line }`. */
  | 'dataset-invalid'
  /** A fault of toolgate itself. Please report it. */
  | 'internal';
