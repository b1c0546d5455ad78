/** The problems that a route may answer. Most follow from its declaration; the route names the others itself. */
import { operatorRoles } from '../../caller.js';
import type { Access } from '../access.js';
import { refusesKey } from '../commands/key-claim.js';
import { problemType, problemTypeOf, statusOfKind } from '../problems/problem.js';
import type { Explanation } from '../problems/problem-catalogue.js';
import type { Route } from '../route.js';
import type { Components, JsonObject } from './components.js';
import { headersOf } from './headers.js';
import { Problem } from './problem.js';

export function refusalResponses(route: Route, components: Components): Map<number, JsonObject> {
  const codesOfStatus = new Map<number, string[]>();
  for (const code of new Set(refusalCodes(route))) {
    const status = statusOfKind[explanationOf(code, components).kind];
    codesOfStatus.set(status, [...(codesOfStatus.get(status) ?? []), code]);
  }
  const responses = [...codesOfStatus].map(([status, codes]) => {
    const response = refusalResponse(status, codes, components);
    // A response of many codes belongs to one operation, and its name would be longer than a line.
    if (codes.length > 4) return [status, response] as const;
    return [status, components.refer('responses', codes.map(pascalCase).join('Or'), response)] as const;
  });
  return new Map(responses);
}

export function takesIdempotencyKey(route: Route): boolean {
  return route.kind === 'command' && route.idempotency !== undefined;
}

export function requiresIdempotencyKey(route: Route): boolean {
  return route.kind === 'command' && route.idempotency?.isRequired === true;
}

/** Whether the route declares that it can need a second person. */
export function canNeedApproval(route: Route): boolean {
  return route.kind === 'command' && route.fourEyes !== undefined;
}

export function selectsUser({ access }: Route): boolean {
  return 'user' in access && access.user !== 'none';
}

/** The kinds whose answer waits for a COMMIT. */
const committing: readonly Route['kind'][] = ['command', 'auditedRead', 'document', 'upload'];

function refusalCodes(route: Route): string[] {
  if (route.protocol) return [];
  return [
    ...codesOfFields(route),
    ...codesOfAccess(route.access),
    ...(route.path.includes('{') ? ['not_found'] : []),
    ...(takesIdempotencyKey(route)
      ? ['idempotency_key_invalid', 'idempotency_in_progress', 'idempotency_key_reused']
      : []),
    ...(requiresIdempotencyKey(route) ? ['idempotency_key_required'] : []),
    ...(refusesKey(route) ? ['idempotency_key_not_accepted'] : []),
    ...(canNeedApproval(route) ? ['approval_pending'] : []),
    ...(route.refusals ?? []),
    ...(route.moreRefusals?.() ?? []),
    'internal_error',
    'overloaded',
    ...(route.kind === 'raw' ? [] : ['database_unavailable']),
    ...(committing.includes(route.kind) ? ['outcome_unknown'] : []),
  ];
}

/** The server reads the body of every method that may have one, also if the route expects none. */
function codesOfFields(route: Route): string[] {
  const checksFields = route.params ?? route.query ?? route.body ?? (selectsUser(route) || undefined);
  return [
    ...(route.method === 'GET'
      ? []
      : ['malformed_body', 'body_too_large', 'unsupported_media_type', 'request_timeout']),
    ...(route.method === 'GET' && !route.path.includes('{') ? [] : ['malformed_request']),
    ...(checksFields ? ['invalid_fields'] : []),
  ];
}

function codesOfAccess(access: Access): string[] {
  if (access.token === 'none') return [];
  const always = ['unauthorized', 'rate_limited'];
  if (access.token === 'operator') {
    return access.role === operatorRoles[0] ? always : [...always, 'role_missing'];
  }
  return [
    ...always,
    'scope_missing',
    ...(access.token === 'merchant' ? ['merchant_token_required'] : []),
    ...(access.token === 'user' ? ['user_token_required'] : []),
    ...(access.user === 'none' ? [] : ['user_selector_conflict', 'user_not_found']),
    ...(access.user === 'required' && access.token !== 'user' ? ['user_not_selected'] : []),
  ];
}

function refusalResponse(status: number, codes: readonly string[], components: Components): JsonObject {
  return {
    description: codes.map((code) => describe(code, codes.length > 1, components)).join('\n'),
    headers: headersOf(status, components),
    content: {
      [problemType]: {
        schema: problemWith(codes, components),
        examples: Object.fromEntries(codes.map((code) => [code, exampleOf(code, status, components)])),
      },
    },
  };
}

/** The problem document of one response, with the codes that this response may carry. */
function problemWith(codes: readonly string[], components: Components): JsonObject {
  const code = { type: 'string', enum: [...codes].sort(), description: 'The codes of this response.' };
  return { allOf: [components.schema(Problem), { type: 'object', properties: { code } }] };
}

function describe(code: string, isOneOfMany: boolean, components: Components): string {
  const { title, remedy } = explanationOf(code, components);
  return `${isOneOfMany ? '- ' : ''}${title} (\`${code}\`). ${remedy}`;
}

function exampleOf(code: string, status: number, components: Components): JsonObject {
  const { title, exampleMembers } = explanationOf(code, components);
  return components.refer('examples', pascalCase(code), {
    summary: title,
    value: {
      type: problemTypeOf(code, components.baseUrl),
      title,
      status,
      detail: `${title}.`,
      code,
      requestId: 'req_4f1c2a9be07d5386a1c0ffee',
      ...exampleMembers,
    },
  });
}

function explanationOf(code: string, { problems }: Components): Explanation {
  const explanation = problems[code];
  if (!explanation) throw new Error(`The code ${code} is not in the catalogue of problems.`);
  return explanation;
}

function pascalCase(code: string): string {
  return code.replaceAll(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
