/** Which users are one person: those who share a digest, also through others. Pure. */

/** Returns a name of the group for each user; equal for users of one person. */
export function groupsOf(known: readonly { readonly user: string; readonly digest: string }[]): Map<string, string> {
  const parent = new Map<string, string>();
  const rootOf = (name: string): string => {
    let root = name;
    for (let next = parent.get(root); next !== undefined && next !== root; next = parent.get(root)) root = next;
    return root;
  };
  for (const { user, digest } of known) {
    const [left, right] = [rootOf(user), rootOf(`digest ${digest}`)];
    parent.set(user, parent.get(user) ?? user);
    // Names of digests never become the name of a group: the smallest user does.
    const [root, other] = right.startsWith('digest ') || left < right ? [left, right] : [right, left];
    parent.set(root, root);
    parent.set(other, root);
  }
  return new Map([...new Set(known.map(({ user }) => user))].map((user) => [user, rootOf(user)]));
}
