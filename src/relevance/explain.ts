import type { CatalogueProfile } from './catalogue-profile.ts';
import type { FeatureName } from './feature-names.ts';
import type { Scores } from './scorer.ts';

/** Why the tools got the probabilities that they got. */
export interface Explanation {
  /** Best first. */
  readonly tools: readonly ToolExplanation[];
}

export interface ToolExplanation {
  readonly name: string;
  readonly probability: number;
  /** The sum of the shares. */
  readonly logit: number;
  /** What each feature adds to the logit, the largest in size first; without those that add nothing. `intercept` is the constant. */
  readonly shares: readonly { readonly feature: FeatureName | 'intercept' | 'embedding'; readonly share: number }[];
}

/** Explains the best `limit` tools. */
export function explainScores(profile: CatalogueProfile, scores: Scores, limit: number): Explanation {
  const places = profile.tools.map((_tool, place) => place).sort((a, b) => scores.logit(b) - scores.logit(a) || a - b);
  return {
    tools: places.slice(0, Math.max(0, limit)).map((place) => ({
      name: profile.tools[place]?.name ?? '',
      probability: scores.probability(place),
      logit: scores.logit(place),
      shares: [...(scores.shares(place) ?? [])]
        .map(([feature, share]) => ({ feature, share }))
        .sort((a, b) => Math.abs(b.share) - Math.abs(a.share)),
    })),
  };
}
