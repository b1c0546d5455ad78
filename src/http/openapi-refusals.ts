/** Which refusals a route may answer: most follow from its declaration, the others it names itself. */
import Type from 'typebox';
import { operatorRoles } from '../caller.js';
import type { Components, JsonObject } from './openapi-components.js';
import { headersOf } from './openapi-headers.js';
import { problemType, statusOfKind } from './problem.js';
import { type Explanation, problemCatalogue } from './problem-catalogue.js';
import type { Access, Route } from './route.js';

const FieldFault = Type.Object(
  {
    field: Type.String({ description: 'Where it is, with dots: `address.city`.' }),
    code: Type.String({ description: 'What is wrong with it, for programs.' }),
    message: Type.String({ description: 'What is wrong with it, for people.' }),
  },
  {
    title: 'FieldFault',
    additionalProperties: true,
    description:
      'One field that is not right. Further members tell the limits: `min`, `max`, `allowed`, `expected`.',
  },
);
const Problem = Type.Object(
  {
    type: Type.String({ format: 'uri-reference', description: 'Where this problem is explained.' }),
    title: Type.String({ description: 'The problem in a few words, the same for each one of this code.' }),
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    detail: Type.String({ description: 'What went wrong this time.' }),
    code: Type.String({ description: 'Stable, for programs. New ones may be added.' }),
    requestId: Type.String({ description: 'The X-Request-Id of the answer.' }),
    errors: Type.Optional(Type.Array(FieldFault, { description: 'All faulty fields at once.' })),
  },
  {
    title: 'Problem',
    additionalProperties: true,
    description:
      'What went wrong (RFC 9457). Some codes have further members, such as the limit that was broken.',
  },
);

export function refusalResponses(route: Route, components: Components): Map<number, JsonObject> {
  const codesOfStatus = new Map<number, string[]>();
  for (const code of new Set(refusalCodes(route))) {
    const status = statusOfKind[explanationOf(code).kind];
    codesOfStatus.set(status, [...(codesOfStatus.get(status) ?? []), code]);
  }
  const responses = [...codesOfStatus].map(([status, codes]) => {
    const response = refusalResponse(status, codes, components);
    const [only] = codes;
    const isAlone = codes.length === 1 && only !== undefined;
    return [status, isAlone ? components.refer('responses', pascalCase(only), response) : response] as const;
  });
  return new Map(responses);
}

export function takesIdempotencyKey(route: Route): boolean {
  const { token } = route.access;
  return (
    route.kind === 'command' && route.idempotency !== undefined && token !== 'operator' && token !== 'none'
  );
}

export function selectsUser({ access }: Route): boolean {
  return 'user' in access && access.user !== 'none';
}

function refusalCodes(route: Route): string[] {
  if (route.dialect) return [];
  return [
    ...codesOfFields(route),
    ...codesOfAccess(route.access),
    ...(route.path.includes('{') ? ['not_found'] : []),
    ...(takesIdempotencyKey(route)
      ? ['idempotency_key_invalid', 'idempotency_in_progress', 'idempotency_key_reused']
      : []),
    ...(route.refusals ?? []),
    'internal_error',
    'overloaded',
    ...(route.kind === 'raw' ? [] : ['database_unavailable']),
    ...(route.kind === 'command' || route.kind === 'document' ? ['outcome_unknown'] : []),
  ];
}

/** The server reads whatever body comes with a method that may have one, wanted or not. */
function codesOfFields(route: Route): string[] {
  const checksFields = route.params ?? route.query ?? route.body ?? (selectsUser(route) || undefined);
  return [
    ...(route.method === 'GET'
      ? []
      : ['malformed_body', 'body_too_large', 'unsupported_media_type', 'request_timeout']),
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
    description: codes.map((code) => describe(code, codes.length > 1)).join('\n'),
    headers: headersOf(status, components),
    content: {
      [problemType]: {
        schema: components.schema(Problem),
        examples: Object.fromEntries(codes.map((code) => [code, exampleOf(code, status, components)])),
      },
    },
  };
}

function describe(code: string, isOneOfMany: boolean): string {
  const { title, remedy } = explanationOf(code);
  return `${isOneOfMany ? '- ' : ''}${title} (\`${code}\`). ${remedy}`;
}

function exampleOf(code: string, status: number, components: Components): JsonObject {
  const { title, exampleMembers } = explanationOf(code);
  return components.refer('examples', pascalCase(code), {
    summary: title,
    value: {
      type: `/docs/errors#${code}`,
      title,
      status,
      detail: `${title}.`,
      code,
      requestId: 'req_4f1c2a9be07d5386a1c0ffee',
      ...exampleMembers,
    },
  });
}

function explanationOf(code: string): Explanation {
  const explanation = problemCatalogue[code];
  if (!explanation) throw new Error(`The code ${code} is not in the catalogue of problems.`);
  return explanation;
}

function pascalCase(code: string): string {
  return code.replaceAll(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
