/** Replaces every secret in a text, the longest first, so that a part never survives. */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const sorted = [...new Set(secrets)].filter((secret) => secret.length > 0).sort((a, b) => b.length - a.length);
  if (sorted.length === 0) return (text) => text;
  return (text) => {
    let result = text;
    for (const secret of sorted) result = result.replaceAll(secret, '[hidden]');
    return result;
  };
}
