import { ToolgateError } from '../core/errors.ts';

/** Throws `store-newer` for a store that a later version of this program has brought up to date. */
export function checkVersion(found: number, supported: number): void {
  if (found <= supported) return;
  throw new ToolgateError(
    'store-newer',
    `The store is of version ${found}; this program knows versions up to ${supported}. Update it.`,
    { data: { found, supported } },
  );
}
