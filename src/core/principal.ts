/**
 * Who asks for a tool or decides about a call, as authenticated by the host, never as claimed in a request's body.
 * Two principals are the same when `tenant` and `id` are the same.
 */
export interface Principal {
  /** Unique within the tenant. */
  readonly id: string;
  /** Separates customers of one installation. Default: the empty tenant. */
  readonly tenant?: string;
  /** Free names that the host's own rules may read. toolgate gives them no meaning. */
  readonly roles?: readonly string[];
}
