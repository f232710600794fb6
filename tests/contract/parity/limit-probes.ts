import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { call, callJson, type Reply, type Server } from '../../practice/practice-client.ts';
import { simplePdf } from '../../support/simple-pdf.ts';
import {
  ask,
  asPerson,
  challenged,
  enroll,
  eventAfter,
  commitMessage,
  sendFile,
  startMessage,
  type Rig,
} from './rig.ts';

/** The last allowed value must be accepted, and the first forbidden one rejected. */
interface Edges {
  readonly within: boolean;
  readonly beyond: boolean;
}
export type LimitProbe = (rig: Rig) => Promise<Edges>;

/** A test elsewhere that checks the edge of the limit: its file, and a part of its name. */
export interface TestElsewhere {
  readonly file: string;
  readonly words: string;
}
const elsewhere = (file: string, words: string): TestElsewhere => ({ file, words });

const isGood = ({ status }: Reply): boolean => status < 400;
const edges = async (within: Promise<Reply>, beyond: Promise<Reply>): Promise<Edges> => ({
  within: isGood(await within),
  beyond: isGood(await beyond),
});

/** Both ends of the range that a list accepts. */
const pages =
  (path: string, most: number, serverOf: (rig: Rig) => Server = ({ main }) => main, name = 'limit'): LimitProbe =>
  async (rig) => {
    const get = (value: number): Promise<Reply> =>
      call(serverOf(rig), 'GET', `${path}${path.includes('?') ? '&' : '?'}${name}=${value}`);
    const [least, mostly, none, more] = [await get(1), await get(most), await get(0), await get(most + 1)];
    return { within: isGood(least) && isGood(mostly), beyond: isGood(none) || isGood(more) };
  };
const person = ({ main }: Rig): Server => asPerson(main);
const account = '/api/v1/account';
const key = (rig: Rig, body: object): Promise<Reply> =>
  callJson(asPerson(rig.main), 'POST', `${account}/api-keys`, { name: 'sinov', ...body });
const speak = (rig: Rig, change: object): Promise<Reply> =>
  call(rig.main, 'POST', '/v1/tts', {
    headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify({ text: 'Salom', language: 'uz', voice_id: 'voice_practice_uz_lola', ...change }),
  });
/** Without a synthesizer a valid order reports that, and an invalid one reports its error. */
const isTaken = ({ status }: Reply): boolean => status === 200 || status === 202 || status === 503;
const hook = (rig: Rig, change: object): Promise<Reply> =>
  callJson(rig.main, 'POST', '/v1/webhooks', {
    url: 'https://hooks.example.com/in',
    event_types: ['tts.generation.completed'],
    ...change,
  });
const message = (content: unknown): object => ({ messages: [{ role: 'user', content }] });
const parts = (count: number): object => message(Array.from({ length: count }, () => ({ type: 'text', text: 'a' })));
const codeAfter = async (rig: Rig, ms: number): Promise<unknown> => {
  const chunks = Array.from({ length: Math.ceil(ms / 10_000) }, (_, at) => Math.min(10_000, ms - at * 10_000));
  const audio = chunks.map((chunk) => Buffer.alloc(chunk * 32));
  return (await eventAfter(rig.main, [startMessage, ...audio, commitMessage]))['code'];
};
const wav = (rig: Rig, ms: number): Buffer => {
  const { reference, same } = rig.voices;
  const audio = Buffer.concat([reference.subarray(44), same.subarray(44), reference.subarray(44), same.subarray(44)]);
  return Buffer.concat([reference.subarray(0, 40), Buffer.alloc(4), audio, audio]).subarray(0, 44 + ms * 32);
};
const upload = (rig: Rig, ms: number): Promise<Reply> => {
  rig.pass(3_600_000);
  const fields = { language: 'uz', remove_noise: 'false' };
  return sendFile(rig.main, '/v1/voice-enrollments', 'audio', wav(rig, ms), fields);
};

/** An upload of which only the head is sent; `status` is null if no answer arrived in time. */
function begin({ main }: Rig, path: string, length: number) {
  const sent = request(`${main.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${main.token}`,
      'x-api-key': main.legacyToken,
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': String(length),
      'idempotency-key': randomUUID(),
    },
  });
  sent.on('error', () => undefined);
  const answered = new Promise<number | null>((resolve) => {
    sent.once('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
  });
  sent.flushHeaders();
  return {
    status: (patienceMs = 20_000): Promise<number | null> =>
      Promise.race([answered, wait(patienceMs, null, { ref: false })]),
    end: () => sent.destroy(),
  };
}

const cloning = 'tests/practice/voice-cloning.test.ts';
const references = 'tests/practice/voice-references.test.ts';
const hooks = 'tests/practice/webhooks.test.ts';
const attachments = 'tests/practice/llm-files.test.ts';

/** A proof for each limit of the document (contract 8) that the practice service enforces. */
export const limitProbes: Readonly<Record<string, LimitProbe | TestElsewhere>> = {
  'analytics.windowMs': (rig) =>
    edges(
      call(person(rig), 'GET', `${account}/analytics?from=2026-01-01&to=2026-04-01`),
      call(person(rig), 'GET', `${account}/analytics?from=2026-01-01&to=2026-04-02`),
    ),
  'analytics.hourlyWindowMs': (rig) =>
    edges(
      call(person(rig), 'GET', `${account}/analytics?granularity=hour&from=2026-01-01&to=2026-02-01`),
      call(person(rig), 'GET', `${account}/analytics?granularity=hour&from=2026-01-01&to=2026-02-02`),
    ),
  'pages.keys': pages(`${account}/api-keys`, 100, person),
  'pages.requestLogs': pages(`${account}/request-logs`, 100, person),
  'key.nameCharacters': (rig) => edges(key(rig, { name: 'x'.repeat(80) }), key(rig, { name: 'x'.repeat(81) })),
  'key.allowedIps': (rig) => {
    const list = (count: number): string[] => Array.from({ length: count }, (_, at) => `10.0.0.${at}`);
    return edges(key(rig, { allowed_ips: list(100) }), key(rig, { allowed_ips: list(101) }));
  },
  'pages.generations': pages('/v1/tts/generations', 100),
  'pages.transcriptions.default': elsewhere('tests/practice/saved-transcriptions.test.ts', "'limit=101'"),
  'pages.isolations': pages('/v1/voice-isolations', 50),
  'speak.speed': async (rig) => ({
    within: isTaken(await speak(rig, { speed: 0.5 })) && isTaken(await speak(rig, { speed: 2 })),
    beyond: isTaken(await speak(rig, { speed: 0.49 })) || isTaken(await speak(rig, { speed: 2.01 })),
  }),
  'speak.toolCharacters': elsewhere('tests/practice/speech.test.ts', "'5001 characters'"),
  'legacy.speakCharacters': async ({ main }) => {
    const speak = (characters: number): Promise<Reply> => {
      const form = new FormData();
      form.set('transcript', 'a'.repeat(characters));
      form.set('language', 'en');
      return call(main, 'POST', '/api/v1/tts/post/', { body: form, headers: { 'x-api-key': main.legacyToken } });
    };
    return { within: (await speak(1000)).status !== 400, beyond: (await speak(1001)).status !== 400 };
  },
  'legacy.longFileBytes': async (rig) => {
    const mb = 1_000_000;
    const within = begin(rig, '/api/v2/stt/post/', 500 * mb);
    const beyond = begin(rig, '/api/v2/stt/post/', 501 * mb);
    const told = { within: (await within.status(200)) === null, beyond: (await beyond.status()) !== 400 };
    for (const { end } of [within, beyond]) end();
    return told;
  },
  'legacy.diarizationMinMs': async (rig) => {
    const send = (ms: number): Promise<Reply> =>
      sendFile(rig.main, '/api/v1/stt/post/', 'audio', wav(rig, ms), { language: 'uz', has_diarization: 'true' });
    return edges(send(15_000), send(14_990));
  },
  'dictation.commitMinMs': async (rig) => ({
    within: (await codeAfter(rig, 100)) === 'no_speech_detected',
    beyond: (await codeAfter(rig, 99)) !== 'invalid_audio',
  }),
  'dictation.commitMaxMs': async (rig) => ({
    within: (await codeAfter(rig, 35_000)) === 'no_speech_detected',
    beyond: (await codeAfter(rig, 35_001)) !== 'audio_too_long',
  }),
  'isolation.toolFileBytes': async (rig) => {
    const mib = 1024 * 1024;
    const within = begin(rig, '/v1/voice-isolations', 300 * mib);
    const beyond = begin(rig, '/v1/voice-isolations', 301 * mib);
    const told = { within: (await within.status(200)) === null, beyond: (await beyond.status()) !== 413 };
    for (const { end } of [within, beyond]) end();
    return told;
  },
  'attachment.fileBytes': elsewhere(attachments, "'more than 4 MiB'"),
  'attachment.pdfPages': (rig) => {
    const pdf = (count: number): Buffer => simplePdf(Array.from({ length: count }, () => ['a']));
    return edges(sendFile(rig.main, '/v1/files', 'file', pdf(100)), sendFile(rig.main, '/v1/files', 'file', pdf(101)));
  },
  'attachment.partsPerMessage': (rig) =>
    edges(ask(rig.main, randomUUID(), parts(12)), ask(rig.main, randomUUID(), parts(13))),
  'attachment.filesPerMessage': elsewhere('tests/practice/completions.test.ts', "'five files in a message'"),
  'attachment.filesPerConversation': elsewhere('tests/practice/completions.test.ts', "'seventeen files'"),
  'pages.files': pages('/v1/files', 100),
  'attachment.retentionMs': elsewhere(attachments, '30 * 86_400'),
  'attachment.activePerAccount': elsewhere(attachments, 'stores at most 25 files'),
  'attachment.attemptsPerDay': elsewhere(attachments, 'at most 100 uploads in a day'),
  'attachment.concurrentPerAccount': async (rig) => {
    const four = Array.from({ length: 4 }, () => begin(rig, '/v1/files', 1000));
    const waiting = await Promise.all(four.map(({ status }) => status(200)));
    const fifth = begin(rig, '/v1/files', 1000);
    const told = { within: waiting.every((status) => status === null), beyond: (await fifth.status()) !== 429 };
    for (const { end } of [...four, fifth]) end();
    return told;
  },
  'attachment.deadlineMs': elsewhere(attachments, 'waits two minutes for a file and no longer'),
  'webhook.activePerAccount': elsewhere(hooks, 'is one of twenty'),
  'webhook.urlCharacters': (rig) => {
    const url = (length: number): string => 'https://hooks.example.com/'.padEnd(length, 'x');
    return edges(hook(rig, { url: url(2048) }), hook(rig, { url: url(2049) }));
  },
  'webhook.port': (rig) =>
    edges(hook(rig, { url: 'https://hooks.example.com:443/' }), hook(rig, { url: 'https://hooks.example.com:8443/' })),
  'webhook.bodyBytes': async (rig) => {
    const bytes = (length: number): Promise<Reply> =>
      call(rig.main, 'POST', '/v1/webhooks', {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          url: 'https://hooks.example.com/in',
          event_types: ['tts.generation.completed'],
        }).padEnd(length),
      });
    return edges(bytes(16 * 1024), bytes(16 * 1024 + 1));
  },
  'pages.webhookPage': async (rig) => pages('/v1/webhooks', 100_000, ({ main }) => main, 'page')(rig),
  'pages.webhooks': pages('/v1/webhooks', 100, ({ main }) => main, 'page_size'),
  'webhook.receiverTimeoutMs': elsewhere(hooks, 'webhookTimeoutMs'),
  'webhook.attempts': elsewhere(hooks, 'is repeated up to eight times'),
  'webhook.retriedStatuses': elsewhere(hooks, 'is not repeated after %i'),
  'webhook.backoffMs': elsewhere(hooks, 'is repeated up to eight times'),
  'clone.reference': async (rig) => ({
    within: isGood(await upload(rig, 10_000)) && isGood(await upload(rig, 30_000)),
    beyond: isGood(await upload(rig, 9990)) || isGood(await upload(rig, 30_010)),
  }),
  'clone.live': async (rig) => {
    const path = await challenged(rig);
    const short = await sendFile(rig.main, `${path}/verify`, 'audio', wav(rig, 2990));
    const next = await challenged(rig);
    const enough = await sendFile(rig.main, `${next}/verify`, 'audio', wav(rig, 10_000));
    return { within: isGood(enough), beyond: short.status !== 422 };
  },
  'clone.transcriptCharacters': async (rig) => {
    const approve = async (length: number): Promise<Reply> =>
      callJson(rig.main, 'POST', `${await enroll(rig)}/transcript`, { transcript: 'ў'.repeat(length) });
    return edges(approve(20_000), approve(20_001));
  },
  'clone.challengeMs': elsewhere(cloning, 'has ten minutes for its text'),
  'clone.attempts': elsewhere(cloning, 'five attempts are the most'),
  'clone.similarity': elsewhere(cloning, 'toBeGreaterThanOrEqual(0.72)'),
  'clone.deadlineMs': elsewhere(references, 'that could not be analysed in time'),
  'clone.uploadsPerHour': elsewhere(references, 'is one of two at once and five in an hour'),
  'clone.stepsPerHour': elsewhere(references, 'steps that are three at once and ten in an hour'),
  'clone.activeVoices': elsewhere(cloning, 'is the fifth at most'),
  requestsPerSecond: elsewhere('tests/practice/account-keys.test.ts', 'more than the general rate of requests'),
};
