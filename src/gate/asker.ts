import type { CallIdentity } from '../core/call-identity.ts';
import type { Principal } from '../core/principal.ts';

/** Who asked for a recorded reply. The given principal where it is the same one, since only it knows its roles. */
export function askerOf(
  identity: Pick<CallIdentity, 'tenant' | 'principal'>,
  given: Principal | undefined,
): Principal | undefined {
  const { tenant, principal: id } = identity;
  if (given !== undefined && given.id === id && (given.tenant ?? '') === tenant) return given;
  if (id === '' && tenant === '') return undefined;
  return tenant === '' ? { id } : { id, tenant };
}
