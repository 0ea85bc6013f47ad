/** Why a server is missing, without where was searched and what it last wrote: for pages and for people without a token. */
export function shortReason(reason: string): string {
  return reason.replace(/(?: \(searched in |; its last words: )[\s\S]*$/, '');
}
