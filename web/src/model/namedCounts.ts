/** Returns the counts above zero with their names, in the order of `names`. */
export function namedCounts<K extends string>(
  counts: Readonly<Record<K, number>>,
  names: Readonly<Record<K, readonly [one: string, many: string]>>,
): { amount: number; name: string }[] {
  return (Object.keys(names) as K[])
    .filter((key) => counts[key] > 0)
    .map((key) => ({ amount: counts[key], name: names[key][counts[key] === 1 ? 0 : 1] }));
}
