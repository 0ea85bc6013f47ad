import type { SecretInput } from '../confirm/sealing-keys.ts';
import type { StandingRules } from '../confirm/standing-rules.ts';
import type { Confirmations } from '../confirm/types.ts';
import type { Clock } from '../core/clock.ts';
import type { Principal } from '../core/principal.ts';
import type { ToolAnnotations } from '../core/tool.ts';

/**
 * `src/inbox` holds the pages where a person decides: rendered on the server, whole without JavaScript. It imports core, text and
 * confirm's contract; it knows no store and no gateway.
 */

/** A tool as the explorer page shows it. Texts are untrusted and shown inert. */
export interface InboxTool {
  /** Exposed name. */
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly server?: string | undefined;
  readonly annotations?: ToolAnnotations | undefined;
  /** What toolgate would do with a call: run it, ask a person, or refuse. */
  readonly verdict?: 'allow' | 'confirm' | 'deny' | undefined;
}

/** A tool that a search found, best first. */
export interface InboxToolMatch extends InboxTool {
  /** In the strategy's own unit; compared only within one answer. */
  readonly score: number;
  /** The parts of the score by name. */
  readonly parts?: Readonly<Record<string, number>> | undefined;
}

/** One server behind the gateway. */
export interface InboxUpstream {
  readonly name: string;
  readonly state: 'connected' | 'connecting' | 'stale' | 'failed' | 'disabled';
  readonly tools: number;
  /** Why it is not connected, or anything else worth a sentence. */
  readonly detail?: string | undefined;
  /** `stdio`, `http` or `sse`. */
  readonly transport?: string | undefined;
  /** Milliseconds since the epoch of the last change of state. */
  readonly since?: number | undefined;
}

/** One row of a pause's history. */
export interface InboxAuditEntry {
  readonly at: number;
  readonly event: string;
  readonly key?: string | undefined;
  readonly by?: string | undefined;
  readonly detail?: string | undefined;
}

/** What {@link inboxRoutes} needs. */
export interface InboxOptions {
  readonly confirmations: Confirmations;
  /**
   * Who may decide, read from a request's credentials, or null. Asked for requests without a session, and once more on sign-in with
   * the typed token as `Authorization: Bearer …`. It must accept the approver's token only, never a caller's.
   */
  authenticate(request: Request): Promise<Principal | null> | Principal | null;
  /**
   * Seals sessions and form tokens. Give the same to every process that serves the pages. At least 32 bytes; of several the first
   * seals and all open. Default: random, so that sessions end with the process.
   */
  readonly secret?: SecretInput | undefined;
  /** Where the pages are mounted, without a slash at the end. Default: the root. */
  readonly basePath?: string | undefined;
  /** Origins under which browsers reach the pages when a proxy stands in front, for example `https://gate.example.com`. */
  readonly publicOrigins?: readonly string[] | undefined;
  /** Turns the short code of a start link into a principal, once; null when it is used, old or unknown. */
  redeemStartCode?(code: string): Promise<Principal | null> | Principal | null;
  tools?(principal: Principal): Promise<readonly InboxTool[]> | readonly InboxTool[];
  search?(query: string, principal: Principal): Promise<readonly InboxToolMatch[]> | readonly InboxToolMatch[];
  upstreams?(principal: Principal): Promise<readonly InboxUpstream[]> | readonly InboxUpstream[];
  /** `manager.rules`, where people may grant approvals in advance. Absent: the pages for it are absent. */
  readonly rules?: StandingRules | undefined;
  audit?(pauseId: string, principal: Principal): Promise<readonly InboxAuditEntry[]>;
  /** Calls the listener when anything may have changed; a hint only. Gives back the end of the subscription. */
  subscribe?(listener: () => void): () => void;
  /** Told of faults while a page is made; the person sees no details. */
  onError?(error: unknown): void;
  readonly clock?: Clock | undefined;
  /** How long a session lasts. Default 12 hours. */
  readonly sessionMs?: number | undefined;
}
