/** The path patterns of the import rules, taken apart, so that a part that matches no file any more is seen. */
interface Side {
  readonly path?: string | string[];
  readonly pathNot?: string | string[];
}

interface ImportRule {
  readonly name: string;
  readonly from: Side;
  readonly to?: Side;
}

/** Each part of a pattern about our own files that matches none of them: a file was moved, and a rule has a hole. */
export function deadPatterns(rules: readonly ImportRule[], paths: readonly string[]): string[] {
  return rules.flatMap((rule) =>
    [...new Set(patternsOf(rule).flatMap(alternatives))]
      .filter((pattern) => !paths.some((path) => new RegExp(pattern).test(path)))
      .map((pattern) => `${rule.name}: ${pattern}`),
  );
}

/**
 * Patterns about packages and modules of Node match no file of ours, and `$1` stands for what another pattern matched.
 */
function patternsOf({ from, to }: ImportRule): string[] {
  return [from, to ?? {}]
    .flatMap(({ path, pathNot }) => [path ?? [], pathNot ?? []].flat())
    .filter((pattern) => !/node_modules|node:|\$1/.test(pattern));
}

/** `^src/(a|b)/` as `^src/a/` and `^src/b/`, from the innermost group outwards. A lookahead stays as it is. */
function alternatives(pattern: string): string[] {
  const group = /\((?!\?)([^()]*\|[^()]*)\)/.exec(pattern);
  if (!group) return [pattern];
  const [whole, inner = ''] = group;
  return inner.split('|').flatMap((part) => alternatives(pattern.replace(whole, () => part)));
}
