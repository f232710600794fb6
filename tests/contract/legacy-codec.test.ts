import { fileURLToPath } from 'node:url';
import { loadPackageDefinition } from '@grpc/grpc-js';
import type { ServiceClientConstructor } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeRequest, decodeResponse, encodeRequest, encodeResponse } from '../../shared/wire/legacy/call-codec.ts';

const isLong = process.env['OVOZ_LONG'] !== undefined;
const patienceMs = isLong ? 600_000 : 30_000;
const proto = loadSync(fileURLToPath(new URL('../../shared/wire/legacy/speech.proto', import.meta.url)), {
  keepCase: true,
  defaults: true,
});
const { RealtimeTTS } = loadPackageDefinition(proto) as unknown as { readonly RealtimeTTS: ServiceClientConstructor };
const definition = RealtimeTTS.service['Synthesize'];
test('our codec writes what other libraries read, and reads what they write', { timeout: patienceMs }, () => {
  const text = fc.string({ unit: 'grapheme' });
  const count = fc.integer({ min: 0, max: 2 ** 31 - 1 });
  const float = fc.float({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
  const request = fc.record({
    requestId: text,
    speakerId: text,
    language: text,
    text,
    speed: float,
    end: fc.boolean(),
  });
  const response = fc.record({
    requestId: text,
    speakerId: text,
    sampleRate: count,
    durationSec: float,
    characters: count,
    audioWav: fc.uint8Array({ maxLength: 300 }),
    errorCode: text,
    errorMessage: text,
  });
  if (definition === undefined) throw new Error('no call in the .proto');
  const runs = { numRuns: isLong ? 20_000 : 500 };
  fc.assert(
    fc.property(request, (message) => {
      const theirs = definition.requestDeserialize(Buffer.from(encodeRequest(message))) as Record<string, unknown>;
      const { requestId, speakerId, ...rest } = message;
      expect(theirs).toEqual({ request_id: requestId, speaker_id: speakerId, ...rest });
      expect(decodeRequest(definition.requestSerialize(theirs))).toEqual({ ok: true, value: message });
    }),
    runs,
  );
  fc.assert(
    fc.property(response, (message) => {
      const theirs = definition.responseDeserialize(Buffer.from(encodeResponse(message))) as Record<string, unknown>;
      expect(theirs).toMatchObject({ audio_wav: Buffer.from(message.audioWav), error_code: message.errorCode });
      const ours = decodeResponse(definition.responseSerialize(theirs));
      if (!ours.ok) throw new Error('not read');
      expect({ ...ours.value, audioWav: Buffer.from(ours.value.audioWav) }).toEqual({
        ...message,
        audioWav: Buffer.from(message.audioWav),
      });
    }),
    runs,
  );
});

test('P-03: any bytes are a message or not, and nothing is thrown', { timeout: patienceMs }, () => {
  const known = encodeResponse({ requestId: 'a', audioWav: new Uint8Array(40), errorCode: 'b', durationSec: 1.5 });
  const spoiled = fc
    .tuple(fc.array(fc.tuple(fc.nat(known.length - 1), fc.nat(255)), { maxLength: 8 }), fc.nat(known.length))
    .map(([changes, length]) => {
      const bytes = Uint8Array.from(known);
      for (const [at, value] of changes) bytes[at] = value;
      return bytes.subarray(0, length);
    });
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), spoiled), (bytes) => {
      for (const read of [decodeRequest(bytes), decodeResponse(bytes)])
        if (read.ok) expect(typeof read.value.requestId).toBe('string');
    }),
    { numRuns: isLong ? 100_000 : 5000 },
  );
});
