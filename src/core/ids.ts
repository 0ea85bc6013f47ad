/** Makes identifiers. Injected, so that tests and recorded runs are repeatable. */
export interface IdSource {
  /**
   * A new identifier, unique and not guessable (at least 120 random bits in production).
   * @param kind a short prefix that tells a reader what the identifier names, for example `pause`.
   */
  next(kind: string): string;
}
