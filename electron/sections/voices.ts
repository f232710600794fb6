import { chooseRecording } from '../shell/choose-paths.ts';
import { basename } from 'node:path';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { cloneRules, voiceGenders, voiceAges, voicePalettes } from '../../shared/domain/voices/clone-rules.ts';
import { type CloneDraft, cloneSendings } from '../../shared/domain/voices/clone-draft.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import type { Workspace } from '../workspace/open-workspace.ts';
import { dialogWords } from '../shell/words.ts';
import { procedure, nothing, streamOf } from '../ipc/procedure.ts';
import { askOpened, speechLanguage, fileToken, type App } from './context.ts';
import { z } from 'zod';

const voiceId = z.string().min(1).max(200);
const details = z.strictObject({
  name: z.string().max(1000),
  description: z.string().max(5000),
  gender: z.enum(['', ...voiceGenders]),
  age: z.enum(['', ...voiceAges]),
  accent: z.string().max(500),
  palette: z.enum(voicePalettes),
});
const longestRecording = 11 * 1024 * 1024;
const sampleRate = z.number().int().min(8000).max(96_000);

/** With the addresses of its recordings. */
export type ShownDraft = CloneDraft & { readonly referenceUrl: string | null; readonly readingUrl: string | null };

export const voicesProcedures = ({ workspaces, keys, settings, fileTokens, mediaTokens, windowOf }: App) => {
  const withWorkspace = askOpened(workspaces, (workspace) => workspace);
  const shown = (draft: CloneDraft, { cloning }: Workspace): ShownDraft => {
    const urlOf = (recording: CloneDraft['reference']) =>
      recording === null
        ? null
        : `/media/${mediaTokens.issue({ path: cloning.pathOf(recording), sha256: `voice-${recording.fileName}` })}`;
    return { ...draft, referenceUrl: urlOf(draft.reference), readingUrl: urlOf(draft.reading) };
  };
  const withDraft = (
    ask: (workspace: Workspace) => Promise<Result<CloneDraft>> | Result<CloneDraft>,
  ): Promise<Result<{ draft: ShownDraft }>> =>
    withWorkspace(async (workspace) => {
      const draft = await ask(workspace);
      return draft.ok ? ok({ draft: shown(draft.value, workspace) }) : draft;
    });

  return {
    'voices.details': procedure(z.strictObject({ voiceId }), async ({ voiceId }) =>
      withWorkspace(async ({ ownVoices }) => {
        const answer = await ownVoices.details(voiceId);
        return answer.ok ? ok({ ...answer.value, details: { ...answer.value.details } }) : answer;
      }),
    ),
    'voices.saveDetails': procedure(
      z.strictObject({ voiceId, details, language: z.string().max(16) }),
      async ({ voiceId, details, language }) =>
        withWorkspace(async ({ ownVoices }) => {
          if (keys.isInText(details.name) || keys.isInText(details.description)) return err(makeFailure('key-in-text'));
          const saved = await ownVoices.saveDetails(voiceId, details, language);
          return saved.ok ? ok({}) : saved;
        }),
    ),
    'voices.remove': procedure(z.strictObject({ voiceId }), async ({ voiceId }) =>
      withWorkspace(({ ownVoices }) => ownVoices.remove(voiceId)),
    ),
    /** Voices whose deletion is not finished; it is requested again. */
    'voices.removing': procedure(nothing, async () =>
      withWorkspace(async ({ ownVoices }) => {
        await ownVoices.goOn();
        return ok({ voiceIds: [...ownVoices.beingRemoved()] });
      }),
    ),
    /** The draft as the service sees it, and what the account may clone; null while that is not known. */
    'clone.read': procedure(nothing, async () =>
      withWorkspace(async (workspace) => {
        const { cloning } = workspace;
        const [draft, capabilities] = await Promise.all([cloning.read(), cloning.capabilities()]);
        if (!draft.ok) return draft;
        return ok({
          draft: draft.value === null ? null : shown(draft.value, workspace),
          capabilities:
            capabilities === null ? null : { eligible: capabilities.eligible, available: capabilities.available },
        });
      }),
    ),
    'clone.keepRecording': procedure(
      z.strictObject({
        pcm: z.instanceof(Int16Array),
        sampleRate,
        language: speechLanguage,
        removesNoise: z.boolean(),
        name: z.string().max(300),
      }),
      async ({ pcm, ...recording }) =>
        withDraft(({ cloning }) => cloning.keepRecording({ ...recording, what: 'reference', parts: [pcm] })),
      { maxInputBytes: longestRecording },
    ),
    /** A dropped file, or one chosen in the system's dialog; null when that was cancelled. */
    'clone.chooseFile': procedure(z.strictObject({ token: fileToken.nullable() }), async ({ token }, { windowId }) => {
      const words = dialogWords(settings.get().interfaceLanguage);
      const path =
        token === null
          ? await chooseRecording(windowOf(windowId), {
              title: words('files.chooseVoice'),
              recordings: words('files.recordings'),
              allFiles: words('files.allFiles'),
            })
          : fileTokens.resolve(windowId, token);
      if (path === null)
        return token === null ? ok({ file: null }) : err(makeFailure('file-unreadable', { code: 'unknown_file' }));
      const name = basename(path);
      return ok({ file: { name, mediaUrl: `/media/${mediaTokens.issue({ path, sha256: `voice-file-${name}` })}` } });
    }),
    'clone.change': procedure(
      z.strictObject({
        language: speechLanguage.optional(),
        removesNoise: z.boolean().optional(),
        transcript: z.string().max(40_000).optional(),
        details: details.optional(),
        hasConsent: z.boolean().optional(),
      }),
      async (change) =>
        keys.isInText(change.transcript ?? '') || keys.isInText(change.details?.description ?? '')
          ? err(makeFailure('key-in-text'))
          : withDraft(({ cloning }) => cloning.change(definedOnly(change))),
    ),
    'clone.send': procedure(z.strictObject({ sending: z.enum(cloneSendings) }), async ({ sending }) =>
      withDraft(({ cloning }) => cloning.send(sending)),
    ),
    'clone.cancel': procedure(nothing, async () =>
      withWorkspace(({ cloning }) => {
        cloning.cancel();
        return ok({});
      }),
    ),
    'clone.discard': procedure(nothing, async () =>
      withWorkspace(async ({ cloning }) => {
        const discarded = await cloning.discard();
        return discarded.ok ? ok({}) : discarded;
      }),
    ),
  };
};

type Change = Parameters<Workspace['cloning']['change']>[0];
const definedOnly = (change: { readonly [K in keyof Change]: Change[K] | undefined }): Change =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));

/** How much of a recording a crash may lose. */
const spoolSeconds = 5;

export const voicesStreams = ({ workspaces }: App) => ({
  /** Stored when the page finishes or is gone; a cancelled one leaves nothing. */
  'clone.record': streamOf<{ kind: 'open' }>()(
    {
      usesMicrophone: true,
      open: z.strictObject({
        what: z.enum(['reference', 'reading']),
        language: speechLanguage,
        removesNoise: z.boolean(),
        sampleRate,
      }),
      up: z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('frame'), pcm: z.instanceof(Int16Array) }),
        z.strictObject({ kind: z.literal('call-off') }),
      ]),
    },
    async ({ what, language, removesNoise, sampleRate }, stream) => {
      const workspace = await workspaces.opened();
      if (!workspace.ok) return workspace;
      const parts: Int16Array[] = [];
      let isOff = false;
      let samples = 0;
      const { cloning } = workspace.value;
      const recording = () => ({ what, parts, sampleRate, language, removesNoise, name: null });
      let spooled = 0;
      let spooling: Promise<void> = Promise.resolve();
      const most = (cloneRules[what].mostMs / 1000) * sampleRate;
      await stream.send({ kind: 'open' });
      for await (const message of stream.incoming) {
        if (message.kind === 'call-off') isOff = true;
        else if (samples < most) {
          const part = message.pcm.subarray(0, most - samples);
          parts.push(part);
          samples += part.length;
        }
        if (samples - spooled < sampleRate * spoolSeconds) continue;
        spooled = samples;
        const soFar = { ...recording(), parts: [...parts] };
        spooling = spooling.then(() => cloning.spool(soFar));
      }
      await spooling;
      if (isOff || samples === 0) {
        await cloning.spool(null);
        return ok(undefined);
      }
      const kept = await cloning.keepRecording(recording());
      return kept.ok ? ok(undefined) : kept;
    },
  ),
});
