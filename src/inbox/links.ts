import type { CallView, PauseView } from '../confirm/types.ts';

/** Every address of the pages, in one place. */
export interface Links {
  readonly home: string;
  readonly history: string;
  readonly tools: string;
  readonly servers: string;
  readonly rules: string;
  readonly revoke: string;
  readonly login: string;
  readonly logout: string;
  readonly start: string;
  readonly style: string;
  readonly icon: string;
  readonly script: string;
  readonly changes: string;
  pause(pause: Pick<PauseView, 'id'>): string;
  decide(pause: Pick<PauseView, 'id'>): string;
  resolve(pause: Pick<PauseView, 'id'>): string;
  cancel(pause: Pick<PauseView, 'id'>): string;
  /** Making a standing rule from a call: by GET what it would do, by POST granting it. */
  rule(pause: Pick<PauseView, 'id'>, call: Pick<CallView, 'position'>): string;
  /** The complete JSON of a call's arguments or result. Calls are named by position: a model may put anything into a key. */
  full(
    pause: Pick<PauseView, 'id'>,
    call: Pick<CallView, 'position'>,
    part: 'arguments' | 'proposed' | 'result',
  ): string;
}

export function createLinks(basePath: string, version: string): Links {
  const pause = ({ id }: Pick<PauseView, 'id'>): string => `${basePath}/pauses/${encodeURIComponent(id)}`;
  return {
    home: `${basePath}/`,
    history: `${basePath}/history`,
    tools: `${basePath}/tools`,
    servers: `${basePath}/servers`,
    rules: `${basePath}/rules`,
    revoke: `${basePath}/rules/revoke`,
    login: `${basePath}/login`,
    logout: `${basePath}/logout`,
    start: `${basePath}/start`,
    icon: `${basePath}/assets/icon.svg?v=${version}`,
    style: `${basePath}/assets/style.css?v=${version}`,
    script: `${basePath}/assets/browser.js?v=${version}`,
    changes: `${basePath}/changes`,
    pause,
    decide: (where) => `${pause(where)}/decide`,
    resolve: (where) => `${pause(where)}/resolve`,
    cancel: (where) => `${pause(where)}/cancel`,
    rule: (where, call) => `${pause(where)}/calls/${call.position}/rule`,
    full: (where, call, part) => `${pause(where)}/calls/${call.position}/${part}`,
  };
}
