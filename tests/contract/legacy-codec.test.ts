import { fileURLToPath } from 'node:url';
import { loadPackageDefinition, type ServiceClientConstructor } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeRequest, decodeResponse, encodeRequest, encodeResponse } from '../../shared/wire/call-codec.ts';

const runs = (usual: number) => ({ numRuns: process.env['OVOZ_LONG'] === undefined ? usual : usual * 20 });
const proto = loadSync(fileURLToPath(new URL('../../shared/wire/speech.proto', import.meta.url)), {
  keepCase: true,
  defaults: true,
});
const { RealtimeTTS } = loadPackageDefinition(proto) as unknown as { readonly RealtimeTTS: ServiceClientConstructor };

test('our codec writes what other libraries read, and reads what they write', { timeout: 600_000 }, () => {
  const definition = RealtimeTTS.service['Synthesize'];
  if (definition === undefined) throw new Error('no call in the .proto');
  const text = fc.string({ unit: 'grapheme' });
  const count = fc.integer({ min: 0, max: 2 ** 31 - 1 });
  const float = fc.float({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
  const names = { requestId: text, speakerId: text };
  const request = fc.record({ ...names, language: text, text, speed: float, end: fc.boolean() });
  const response = fc.record({
    ...names,
    sampleRate: count,
    durationSec: float,
    characters: count,
    audioWav: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    errorCode: text,
    errorMessage: text,
  });
  fc.assert(
    fc.property(request, (message) => {
      const theirs = definition.requestDeserialize(Buffer.from(encodeRequest(message)));
      const { requestId, speakerId, ...rest } = message;
      expect(theirs).toEqual({ request_id: requestId, speaker_id: speakerId, ...rest });
      expect(decodeRequest(definition.requestSerialize(theirs))).toEqual({ ok: true, value: message });
    }),
    runs(500),
  );
  fc.assert(
    fc.property(response, (message) => {
      const theirs = definition.responseDeserialize(Buffer.from(encodeResponse(message)));
      expect(theirs).toMatchObject({ audio_wav: message.audioWav, error_code: message.errorCode });
      const ours = decodeResponse(definition.responseSerialize(theirs));
      if (!ours.ok) throw new Error('not read');
      expect({ ...ours.value, audioWav: Buffer.from(ours.value.audioWav) }).toEqual(message);
    }),
    runs(500),
  );
});
