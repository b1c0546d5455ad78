/** The OpenAPI document as a developer reads it: everything in it is described, and errors can be switched over. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { causedEvents } from '../../src/http/docs/reference/caused-events.js';
import type { OrderEvent } from '../../src/orders/order/order-events.js';
import { eventTypeOf } from '../../src/orders/order/transition.js';
import { transitions } from '../../src/orders/order/transitions.js';
import { serviceProblems } from '../../src/problems.js';

// biome-ignore lint/suspicious/noExplicitAny: a document is a tree of anything; the tests look at its leaves.
type Tree = any;

const document: Tree = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'));

interface Found {
  readonly where: string;
  readonly node: Tree;
}

/** Every object below, with its place; examples are data, not part of the description. */
function everything(node: Tree, where = '#'): Found[] {
  if (typeof node !== 'object' || node === null) return [];
  const below = Object.entries(node).filter(([name]) => !(/^examples?$/.test(name) && !/\/properties$/.test(where)));
  return [{ where, node }, ...below.flatMap(([name, child]) => everything(child, `${where}/${name}`))];
}

const found = everything(document);

function resolved(node: Tree): Tree {
  if (typeof node?.$ref !== 'string') return node;
  const target = node.$ref
    .slice(2)
    .split('/')
    .reduce((tree: Tree, name: string) => tree[name], document);
  return { ...target, ...node };
}

const isDescribed = (node: Tree) => /\w{3}.*[.)`…]$/s.test(resolved(node).description ?? '');

describe('the OpenAPI document describes', () => {
  it('every property', () => {
    const undescribed = found
      .filter(({ where }) => /\/properties$/.test(where))
      .flatMap(({ where, node }) =>
        Object.entries(node).flatMap(([name, property]) => (isDescribed(property) ? [] : [`${where}/${name}`])),
      );
    expect(undescribed).toEqual([]);
  });

  it('every parameter', () => {
    const parameters = found.flatMap(({ where, node }) =>
      Array.isArray(node.parameters) ? node.parameters.map((one: Tree) => ({ where, node: one })) : [],
    );
    expect(parameters.length).toBeGreaterThan(50);
    expect(parameters.filter(({ node }) => !isDescribed(node)).map(({ where, node }) => [where, node.name])).toEqual(
      [],
    );
  });

  it('every response, by what it holds', () => {
    const responses = found.flatMap(({ where, node }) =>
      /\/responses$/.test(where) ? Object.entries(node).map(([status, one]) => ({ where, status, one })) : [],
    );
    const empty = responses.filter(({ one }) => !isDescribed(one) || /^Done\b/.test(resolved(one).description));
    expect(empty.map(({ where, status }) => `${where}/${status}`)).toEqual([]);
  });

  it('every operation by a summary of its own, and every tag', () => {
    const operations = found.filter(({ node }) => typeof node.operationId === 'string');
    const summaries = operations
      .filter(({ where }) => where.startsWith('#/paths') && !where.includes('/callbacks/'))
      .map(({ node }) => node.summary);
    expect(summaries).toEqual([...new Set(summaries)]);
    expect(document.tags.filter((tag: Tree) => !isDescribed(tag))).toEqual([]);
  });

  it('nothing with “can not”, and nothing that is not there yet as if it were', () => {
    const text = JSON.stringify(document);
    expect(text).not.toMatch(/\bcan not\b/i);
    expect(text).not.toMatch(/send the order|clock that you move/);
  });
});

describe('errors', () => {
  const catalogue = serviceProblems();
  const problems = found.filter(({ where }) => where.endsWith('/application/problem+json/schema'));

  it('list the codes of each response, all of them of its status', () => {
    expect(problems.length).toBeGreaterThan(50);
    const faults = problems.filter(({ node }) => {
      const codes: unknown = node.allOf?.[1]?.properties?.code?.enum;
      return !Array.isArray(codes) || codes.length === 0 || codes.some((code) => !catalogue[code]);
    });
    expect(faults.map(({ where }) => where)).toEqual([]);
  });

  it('have absolute addresses, as the server entry and the token address have', () => {
    const base = document.servers[0].url;
    expect(base).toBe('http://127.0.0.1:3000');
    const types = Object.values(document.components.examples).map((one: Tree) => one.value.type);
    expect(types.filter((type) => !type.startsWith(`${base}/docs/errors#`))).toEqual([]);
    const { tokenUrl } = document.components.securitySchemes.merchantToken.flows.clientCredentials;
    expect(tokenUrl).toBe(`${base}/oauth/token`);
  });
});

it('events are told apart by their type, in what is pushed and in what is pulled', () => {
  const types = Object.keys(document.webhooks);
  for (const name of ['Notification', 'Event']) {
    const { oneOf, discriminator } = document.components.schemas[name];
    expect(discriminator.propertyName).toBe('type');
    expect(Object.keys(discriminator.mapping)).toEqual(types);
    expect(Object.values(discriminator.mapping)).toEqual(oneOf.map((one: Tree) => one.$ref));
    expect(oneOf.map((one: Tree) => resolved(one).properties.type.const)).toEqual(types);
  }
});

describe('the events that a call can cause', () => {
  it('exist, and so do the calls', () => {
    const calls = found.flatMap(({ node }) => (typeof node.operationId === 'string' ? [node.operationId] : []));
    expect(Object.keys(causedEvents).filter((operation) => !calls.includes(operation))).toEqual([]);
    const unknown = Object.values(causedEvents)
      .flat()
      .filter((event) => document.webhooks[event] === undefined);
    expect(unknown).toEqual([]);
  });

  it.each<readonly [operation: string, causes: readonly OrderEvent[]]>([
    ['createOrder', ['create']],
    ['cancelOrder', ['cancel', 'cancel_and_refund', 'request_cancellation']],
    ['changeOrderBeneficiary', ['change_beneficiary', 'record_information', 'provide_information']],
    [
      'provideOrderInformation',
      ['record_information', 'provide_information', 'requote', 'refuse_requote', 'request_cancellation'],
    ],
  ])('are those of the states of an order, for %s', (operation, causes) => {
    const possible = transitions
      .filter(({ event }) => causes.includes(event))
      .map(({ event, from, to }) => eventTypeOf(event, from, to));
    expect([...(causedEvents[operation] ?? [])].sort()).toEqual([...new Set(possible)].sort());
  });
});
