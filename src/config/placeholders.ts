/** A variable that a text names and that is not set and has no default. */
export interface MissingVariable {
  readonly variable: string;
}

/** A text with its placeholders filled, the values that were put in, and what was missing. */
export interface FilledText {
  readonly text: string;
  readonly inserted: readonly string[];
  readonly missing: readonly MissingVariable[];
}

/**
 * Fills `${NAME}` and `${NAME:-default}` from the environment, once: a value that itself looks like a placeholder stays as
 * it is. The default holds for a variable that is not set or empty. `$${NAME}` gives `${NAME}`. A bare `$NAME` is left alone.
 * `${env:NAME}`, as some clients write it, is the same as `${NAME}`.
 */
export function fillPlaceholders(text: string, environment: Readonly<Record<string, string | undefined>>): FilledText {
  const inserted: string[] = [];
  const missing: MissingVariable[] = [];
  const filled = text.replace(
    /\$\$\{|\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g,
    (whole, name: string | undefined, fallback: string | undefined) => {
      if (name === undefined) return '${';
      const value = Object.hasOwn(environment, name) ? environment[name] : undefined;
      if (fallback !== undefined && (value === undefined || value === '')) return fallback;
      if (value === undefined) {
        missing.push({ variable: name });
        return whole;
      }
      inserted.push(value);
      return value;
    },
  );
  return { text: filled, inserted, missing };
}
