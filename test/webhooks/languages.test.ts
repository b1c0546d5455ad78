/** The code of docs/webhook-code.md, run in each language that this machine has, against real notifications. */
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build, transformSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { done } from '../harness/api.js';
import { eventually } from '../harness/eventually.js';
import { newFolder } from '../harness/new-folder.js';
import { useReceiver } from '../harness/receiver.js';
import { useRemesa } from '../harness/remesa.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const guide = readFileSync(join(root, 'docs/webhook-code.md'), 'utf8');
const folder = newFolder();
const running = useRemesa();
const receiver = useReceiver();

interface Sent {
  /** The service that has the keys. */
  readonly url: string;
  readonly id: string;
  readonly sentAt: string;
  readonly signature: string;
  readonly body: string;
}

let genuine: Sent;
let secret: string;

beforeAll(async () => {
  const { token } = running.acme;
  secret = done(await running.api.post('/merchant/webhook/secret/rotate', { token })).secret;
  const body = { url: `${receiver.url}/hook` };
  await running.api.post('/merchant/webhook/order-notification', { token, body });
  await running.api.post('/merchant/webhook/test', { token, body: {} });
  const received = await eventually(() => receiver.received.at(-1), { what: 'a notification' });
  genuine = {
    url: running.service.url,
    id: String(received.headers['webhook-id']),
    sentAt: String(received.headers['webhook-timestamp']),
    signature: String(received.headers['webhook-signature']),
    body: received.body,
  };
  for (const code of guide.matchAll(/^```\w+\n([\s\S]*?)^```$/gm)) {
    const name = /^(?:<\?php\n)?(?:\/\/|#) (\S+\.\w+)\n/.exec(code[1] ?? '')?.[1] ?? '';
    save(name, code[1] ?? '');
  }
});

function save(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

/** Signed by the test, whose keys are at an address of its own. */
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const keyServer = createServer((_request, response) => {
  const written = `whpk_${publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64')}`;
  response.end(JSON.stringify({ keys: [{ id: 'key', publicKey: written }] }));
});
beforeAll(async () => {
  keyServer.listen(0, '127.0.0.1');
  await once(keyServer, 'listening');
});
afterAll(() => void keyServer.close());

function signedAgo(seconds: number): Sent {
  const sentAt = String(Math.floor(Date.now() / 1000) - seconds);
  const signed = `${genuine.id}.${sentAt}.${genuine.body}`;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = [
    `v1a,${sign(null, Buffer.from(signed), privateKey).toString('base64')}`,
    `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
  ].join(' ');
  return { ...genuine, url: `http://127.0.0.1:${(keyServer.address() as AddressInfo).port}`, sentAt, signature };
}

/** Refused, each for one reason. */
const changed = (): readonly Sent[] => [
  signedAgo(400),
  signedAgo(-400),
  { ...genuine, body: genuine.body.replace('reached', 'breached') },
  { ...genuine, id: 'evt_other' },
  { ...genuine, sentAt: '1' },
  { ...genuine, signature: 'v1,AAAA v1a,AAAA v1a,%' },
  { ...genuine, signature: `v1,${'A'.repeat(43)}= v1a,${'A'.repeat(86)}==` },
  { ...genuine, signature: '' },
];

/** A program in the language takes the parts as arguments, and prints `genuine` or `refused`. */
async function expectVerified(command: string, ...args: readonly string[]): Promise<void> {
  const say = async ({ url, id, sentAt, signature, body }: Sent) =>
    (
      await promisify(execFile)(command, [...args, url, id, sentAt, signature, body], { cwd: folder, timeout: 60_000 })
    ).stdout.trim();
  expect([await say(genuine), await say(signedAgo(200))]).toEqual(['genuine', 'genuine']);
  expect(await Promise.all(changed().map(say))).toEqual(changed().map(() => 'refused'));
}

const has = (command: string, ...args: readonly string[]) => spawnSync(command, args).status === 0;

describe('verifies a notification, and refuses each part that was changed, in', () => {
  it('TypeScript', async () => {
    const entryPoints = [join(root, 'packages/client/src/webhooks.ts')];
    await build({ entryPoints, bundle: true, format: 'esm', outfile: join(folder, 'webhooks.mjs') });
    const code = readFileSync(join(folder, 'receive.ts'), 'utf8').replace('@remesa/client/webhooks', './webhooks.mjs');
    save('receive.mjs', transformSync(code, { loader: 'ts', format: 'esm' }).code);
    const { publicKeysOf, readNotification } = await import(
      /* @vite-ignore */ pathToFileURL(join(folder, 'receive.mjs')).href
    );
    const read = async ({ url, id, sentAt, signature, body }: Sent) => {
      const keys = await publicKeysOf(url, 'acme');
      const headers = { 'webhook-id': id, 'webhook-timestamp': sentAt, 'webhook-signature': signature };
      return readNotification(keys, new Request('http://localhost', { method: 'POST', headers, body }));
    };
    expect(await read(genuine)).toMatchObject({ id: genuine.id, type: 'webhook.test' });
    for (const sent of changed()) await expect(read(sent)).rejects.toThrow();
  });

  it.skipIf(!has('python3', '--version'))('Python', async () => {
    save(
      'check.py',
      `import sys
from remesa_webhooks import read_notification
_, id, sent_at, signature, body = sys.argv[1:]
headers = {"webhook-id": id, "webhook-timestamp": sent_at, "webhook-signature": signature}
try:
    event = read_notification("${secret}", headers, body.encode())
    print("genuine" if event["id"] == id and event["type"] == "webhook.test" else event)
except ValueError:
    print("refused")
`,
    );
    await expectVerified('python3', 'check.py');
  });

  it.skipIf(!has('go', 'version'))(
    'Go',
    async () => {
      save('go.mod', 'module shop\n\ngo 1.19\n');
      save(
        'main.go',
        `package main

import (
	"fmt"
	"net/http"
	"os"
	"shop/remesa"
)

func main() {
	keys, err := remesa.PublicKeys(os.Args[1], "acme")
	if err != nil {
		panic(err)
	}
	headers := http.Header{}
	for index, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
		headers.Set(name, os.Args[index+2])
	}
	if remesa.Verify(keys, headers, []byte(os.Args[5])) == nil {
		fmt.Println("genuine")
	} else {
		fmt.Println("refused")
	}
}
`,
      );
      const env = { ...process.env, GOCACHE: join(folder, 'cache'), GOFLAGS: '-mod=mod', CGO_ENABLED: '0' };
      execFileSync('go', ['build', '-o', 'check-go', '.'], { cwd: folder, env });
      await expectVerified(join(folder, 'check-go'));
    },
    240_000,
  );

  it.skipIf(!has('javac', '--version'))(
    'Java',
    async () => {
      save(
        'Check.java',
        `public class Check {
    public static void main(String[] args) throws Exception {
        var webhooks = new RemesaWebhooks(args[0], "acme");
        try {
            webhooks.verify(args[1], args[2], args[3], args[4].getBytes(java.nio.charset.StandardCharsets.UTF_8));
            System.out.println("genuine");
        } catch (SecurityException refused) {
            System.out.println("refused");
        }
    }
}
`,
      );
      execFileSync('javac', ['Check.java', 'RemesaWebhooks.java'], { cwd: folder });
      await expectVerified('java', '-cp', folder, 'Check');
    },
    240_000,
  );

  it.skipIf(!has('php', '-r', 'exit(function_exists("sodium_crypto_sign") ? 0 : 1);'))('PHP', async () => {
    save(
      'check.php',
      `<?php
require 'remesa_webhooks.php';
[, $url, $id, $sentAt, $signature, $body] = $argv;
$headers = ['Webhook-Id' => $id, 'Webhook-Timestamp' => $sentAt, 'Webhook-Signature' => $signature];
try {
    $event = remesa_read_notification(remesa_public_keys($url, 'acme'), $headers, $body);
    echo $event['type'] === 'webhook.test' ? 'genuine' : 'wrong';
} catch (UnexpectedValueException $refused) {
    echo 'refused';
}
`,
    );
    await expectVerified('php', 'check.php');
  });
});
