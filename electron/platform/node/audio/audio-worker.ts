import { writeFile } from 'node:fs/promises';
import { isMainThread } from 'node:worker_threads';
import { z } from 'zod';
import { isInRole, serveThread } from '../../../threads/serve-thread.ts';
import { systemCode } from '../storage-failure.ts';
import { copyAudio } from './copy-audio.ts';
import { probeAudio } from './probe-audio.ts';
import { audioWorkerRole, type AudioOutcome } from './audio-work.ts';

const extension = z.enum(['m4a', 'ogg', 'mp3', 'flac', 'wav']);
const request = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('probe'), path: z.string() }),
  z.object({ kind: z.literal('listen'), path: z.string() }),
  z.object({
    kind: z.literal('copy'),
    from: z.string(),
    to: z.string(),
    extension,
    part: z.object({ startMs: z.number(), endMs: z.number() }).optional(),
  }),
  z.object({
    kind: z.literal('cut'),
    from: z.string(),
    to: z.string(),
    format: extension,
    spans: z.array(z.object({ startMs: z.number(), endMs: z.number() })),
    durationMs: z.number(),
    bitRate: z.number().nullable().optional(),
    isMono: z.boolean().optional(),
  }),
  z.object({
    kind: z.literal('join'),
    parts: z.array(z.object({ path: z.string(), startMs: z.number(), endMs: z.number() })),
    to: z.string(),
    format: extension,
  }),
  z.object({
    kind: z.literal('speech'),
    parts: z.array(
      z.object({
        path: z.string(),
        text: z.string(),
        pauseMs: z.number(),
        startMs: z.number().optional(),
        tempo: z.number().optional(),
        chapter: z.string().optional(),
      }),
    ),
    to: z.string(),
    format: extension,
    as: z.enum(['one', 'files', 'zip', 'chapters']),
    targetLufs: z.number().nullable(),
  }),
]);

async function work(message: unknown, sign: (share?: number) => void): Promise<AudioOutcome> {
  try {
    const task = request.parse(message);
    if (task.kind === 'probe') return { kind: 'probed', media: await probeAudio(task.path) };
    if (task.kind === 'listen') {
      // Loaded on demand, because reading headers needs neither decoders nor the network.
      const { heardIn } = await import('./listen-to-audio.ts');
      return { kind: 'listened', heard: await heardIn(task.path, sign) };
    }
    if (task.kind === 'cut') {
      const end = Math.min(task.durationMs, task.spans.at(-1)?.endMs ?? 0);
      // Only cuts need the encoders and decoders, so they are loaded on demand.
      const { cutAudio } = await import('../../../audio/cut-audio.ts');
      const durationMs = await cutAudio(task, (decodedMs) => {
        sign(Math.min(1, decodedMs / Math.max(1, end)));
      });
      return { kind: 'cut', durationMs };
    }
    if (task.kind === 'join') {
      const { joinAudio } = await import('../../../audio/join-audio.ts');
      const lengthMs = (task.parts.at(-1)?.endMs ?? 0) - (task.parts[0]?.startMs ?? 0);
      await joinAudio(task.parts, task.to, task.format, (writtenMs) => {
        sign(Math.min(1, writtenMs / Math.max(1, lengthMs)));
      });
      return { kind: 'joined' };
    }
    if (task.kind === 'speech') {
      const { joinSpeech, speechByChapter, speechByPart, writeFiles } = await import('./join-speech.ts');
      let quietestLufs: number | null = null;
      const options = {
        ...task,
        onQuiet: (lufs: number) => {
          quietestLufs = Math.min(quietestLufs ?? lufs, lufs);
        },
      };
      const signs = setInterval(() => sign(), 1000);
      try {
        const one = task.as === 'one' ? await joinSpeech(task.parts, options) : null;
        if (one !== null) await writeFile(task.to, one.file);
        else {
          const files = await (task.as === 'chapters' ? speechByChapter : speechByPart)(task.parts, options);
          await writeFiles(task.to, files, task.as === 'files' ? 'folder' : 'zip');
        }
        return { kind: 'spoken', subtitles: one?.subtitles ?? '', quietestLufs };
      } finally {
        clearInterval(signs);
      }
    }
    await copyAudio(task.from, task.to, task.extension, sign, task.part);
    return { kind: 'copied' };
  } catch (error) {
    const system = systemCode(error);
    // Decoders have codes of their own.
    return { kind: 'failed', system: /^E[A-Z]+$/u.test(system) ? system : null };
  }
}

/**
 * Headers contain the time of writing and a random number. Both are fixed here, so that the same recording always gives
 * the same bytes, because its idempotency key is bound to them.
 */
function stopClockAndChance(): void {
  Date.now = () => 0;
  Math.random = () => 0.5;
}

if (!isMainThread && isInRole(audioWorkerRole.role)) {
  serveThread(work);
  stopClockAndChance();
}
