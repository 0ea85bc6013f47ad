import { acceptableName, shortDigest, withSuffix } from './name-text.ts';
import type { NameStore, PrefixRule } from './types.ts';

/** A tool that needs a name. */
export interface NameRequest {
  /** Whose tool it is: the same on every run (see {@link ownerOf}). */
  readonly owner: string;
  readonly ownName: string;
  /** What stands in front of the name when one is needed: the server's or provider's name. */
  readonly prefix: string;
  /** The host's own tools come first and are only renamed for a reserved or unusable name. */
  readonly direct: boolean;
}

/** A name and, where it is not the tool's own, why. */
export interface GivenName {
  readonly name: string;
  readonly reason?: string;
}

export interface NamesOptions {
  readonly prefix: PrefixRule;
  readonly reserved: readonly string[];
  readonly store?: NameStore | undefined;
}

/** More names than any honest set of servers has; beyond it the names of tools that are gone are forgotten, oldest first. */
const mostRemembered = 100_000;

/** Identifies a tool across runs: its server's identity and its own name, and its number when the server repeats the name. */
export function ownerOf(identity: string, ownName: string, repetition: number): string {
  return JSON.stringify(repetition === 0 ? [identity, ownName] : [identity, ownName, repetition]);
}

/**
 * Gives every tool one exposed name and remembers it for ever, so that histories, rules and approvals stay right. Two names
 * that differ only in case count as the same one. The first owner keeps a name; a newcomer gets a prefix, then a digest.
 */
export class Names {
  readonly #options: NamesOptions;
  readonly #reserved: ReadonlySet<string>;
  /** By owner; in the order in which they were given. */
  readonly #given = new Map<string, string>();
  /** Owner by lower-case name. */
  readonly #owners = new Map<string, string>();

  constructor(options: NamesOptions) {
    this.#options = options;
    this.#reserved = new Set(options.reserved.map((name) => name.toLowerCase()));
    for (const entry of options.store?.load() ?? []) {
      const [owner, name] = Array.isArray(entry) ? entry : [];
      if (typeof owner !== 'string' || typeof name !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(name)) continue;
      if (this.#owners.has(name.toLowerCase()) || this.#given.has(owner)) continue;
      this.#remember(owner, name);
    }
  }

  /** Names for all tools of one catalogue, in order. Owners must differ. */
  give(requests: readonly NameRequest[]): readonly GivenName[] {
    let changed = false;
    // A second round names the tools that had to give way to the host's own in the first.
    for (let round = 0; round < 3; round += 1) {
      const missing = requests.filter((request) => this.#needsName(request));
      if (missing.length === 0) break;
      changed = true;
      const contested = this.#contested(missing);
      for (const request of missing.toSorted((one, other) => Number(other.direct) - Number(one.direct)))
        this.#choose(request, contested);
    }
    const result = requests.map((request) => explain(this.#given.get(request.owner) ?? '', request));
    if (changed) {
      this.#forgetOldest(new Set(requests.map((request) => request.owner)));
      this.#options.store?.save([...this.#given]);
    }
    return result;
  }

  /** True when the name was given to a tool, now or earlier. */
  has(name: string): boolean {
    const owner = this.#owners.get(name.toLowerCase());
    return owner !== undefined && this.#given.get(owner) === name;
  }

  #needsName(request: NameRequest): boolean {
    const name = this.#given.get(request.owner);
    if (name === undefined || this.#reserved.has(name.toLowerCase())) return true;
    if (!request.direct) return false;
    // A host writes its rules for its own tools by name, so a server's earlier claim to the name gives way.
    const wanted = this.#wanted(request).toLowerCase();
    if (name.toLowerCase() === wanted || this.#reserved.has(wanted)) return false;
    const holder = this.#owners.get(wanted);
    return holder === undefined || !holder.startsWith(directOwnerStart);
  }

  #wanted(request: NameRequest): string {
    const plain = acceptableName(request.ownName);
    return this.#options.prefix === 'always' && !request.direct ? prefixed(request) : plain;
  }

  /** Lower-case names that more than one newcomer wants: with a prefix available, none of them gets it bare. */
  #contested(requests: readonly NameRequest[]): ReadonlySet<string> {
    const seen = new Set<string>();
    const contested = new Set<string>();
    for (const request of requests) {
      const wanted = this.#wanted(request).toLowerCase();
      if (seen.has(wanted)) contested.add(wanted);
      seen.add(wanted);
    }
    return contested;
  }

  #choose(request: NameRequest, contested: ReadonlySet<string>): void {
    const wanted = this.#wanted(request);
    const before = this.#given.get(request.owner);
    if (before !== undefined) this.#forget(request.owner);
    if (request.direct && !this.#reserved.has(wanted.toLowerCase())) {
      const holder = this.#owners.get(wanted.toLowerCase());
      if (holder !== undefined && !holder.startsWith(directOwnerStart)) this.#forget(holder);
    }
    const usesPrefix = this.#options.prefix !== 'never';
    const bareAllowed = request.direct || !usesPrefix || !contested.has(wanted.toLowerCase());
    const candidates = [...(bareAllowed ? [wanted] : []), ...(usesPrefix ? [prefixed(request)] : [])];
    let name = candidates.find((candidate) => this.#isFree(candidate));
    for (let round = 0; name === undefined; round += 1) {
      const candidate = withSuffix(candidates.at(-1) ?? wanted, shortDigest(`${request.owner}#${round}`));
      if (this.#isFree(candidate)) name = candidate;
    }
    this.#remember(request.owner, name);
  }

  #isFree(name: string): boolean {
    const key = name.toLowerCase();
    return !this.#reserved.has(key) && !this.#owners.has(key);
  }

  #remember(owner: string, name: string): void {
    this.#given.set(owner, name);
    this.#owners.set(name.toLowerCase(), owner);
  }

  #forget(owner: string): void {
    const name = this.#given.get(owner);
    if (name !== undefined) this.#owners.delete(name.toLowerCase());
    this.#given.delete(owner);
  }

  #forgetOldest(present: ReadonlySet<string>): void {
    for (const owner of this.#given.keys()) {
      if (this.#given.size <= mostRemembered) return;
      if (!present.has(owner)) this.#forget(owner);
    }
  }
}

/** Identity of the host's own tools. Servers cannot have it: theirs are marked as servers. */
export const directIdentity = 'tools';
const directOwnerStart = `[${JSON.stringify(directIdentity)},`;

function prefixed(request: NameRequest): string {
  return acceptableName(`${request.prefix}__${request.ownName}`);
}

function explain(name: string, request: NameRequest): GivenName {
  if (name === request.ownName) return { name };
  return {
    name,
    reason: `The tool ${JSON.stringify(request.ownName.slice(0, 120))} of ${request.prefix} is exposed as ${name}.`,
  };
}
