/**
 * Which pages browsers may fetch when the pointer rests on their links. Those whose reading is recorded are left out,
 * and would refuse: somebody has to want to see them.
 */
import { constantAnswer } from '../../http/answers/constant-answer.js';
import { isAudited, type Route, raw } from '../../http/route.js';
import { addressOf } from '../screens/finding.js';

export const speculationPath = '/console/assets/speculation-rules.json';

/** Pages that do something, say something once, or are long. */
const never = ['/console/do/*', '/console/search', '/console/account*', '/console/sign-*'];

function speculationRules(routes: readonly Route[]): object {
  const recorded = routes.filter((route) => route.method === 'GET' && (isAudited(route) || route.kind === 'stream'));
  const unwanted = [...never, ...recorded.map(patternOf)].flatMap((path) => [path, `${path}\\?*`]);
  const isWanted = {
    and: [{ href_matches: '/console*' }, { not: { href_matches: [...unwanted, '/console*\\?*export=*'] } }],
  };
  return { prefetch: [{ where: isWanted, eagerness: 'moderate' }] };
}

/** `/operator/kyc/{caseId}` → `/console/kyc/:caseId`. */
function patternOf(route: Route): string {
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return decodeURIComponent(addressOf(route, Object.fromEntries(names.map((name) => [name, `:${name}`]))));
}

export function speculationRoute(routes: readonly Route[]): Route {
  return raw({
    method: 'GET',
    path: speculationPath,
    operationId: 'console_speculation_rules',
    tag: 'Operators',
    summary: 'Which pages of the console browsers may fetch in advance',
    access: { token: 'none' },
    hidden: true,
    servesPages: true,
    run: constantAnswer({
      contentType: 'application/speculationrules+json',
      make: () => JSON.stringify(speculationRules(routes)),
      headers: { 'cache-control': 'public, max-age=3600' },
    }),
  });
}
