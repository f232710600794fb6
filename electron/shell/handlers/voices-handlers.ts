import { basename } from 'node:path';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { cloneRules } from '../../../shared/domain/voices/clone-rules.ts';
import type { CloneDraft } from '../../../shared/domain/voices/clone-draft.ts';
import type { Contract } from '../../../shared/ipc/contract.ts';
import type { Handlers, RequestOutput, StreamHandlers } from '../../../shared/ipc/derive.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { dialogWords } from '../words.ts';
import { chooseRecording } from './choose-paths.ts';
import type { HandlerServices } from './handler-services.ts';

type VoicesHandlers = Pick<
  Handlers<Contract>,
  Extract<keyof Contract['requests'], `voices.${string}` | `clone.${string}`>
>;
type ShownDraft = RequestOutput<Contract, 'clone.send'>['draft'];

/** The actions of a page on the account's voices and on the one being cloned. */
export const voicesHandlers = ({
  workspaces,
  keys,
  settings,
  window: { fileTokens, mediaTokens, windowOf },
}: HandlerServices): VoicesHandlers => {
  const withWorkspace = async <T>(
    ask: (workspace: Workspace) => Promise<Result<T>> | Result<T>,
  ): Promise<Result<T>> => {
    const workspace = await workspaces.opened();
    return workspace.ok ? ask(workspace.value) : workspace;
  };
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
    'voices.details': async ({ voiceId }) =>
      withWorkspace(async ({ ownVoices }) => {
        const answer = await ownVoices.details(voiceId);
        return answer.ok ? ok({ ...answer.value, details: { ...answer.value.details } }) : answer;
      }),
    'voices.saveDetails': async ({ voiceId, details, language }) =>
      withWorkspace(async ({ ownVoices }) => {
        if (keys.isInText(details.name) || keys.isInText(details.description)) return err(makeFailure('E-237'));
        const saved = await ownVoices.saveDetails(voiceId, details, language);
        return saved.ok ? ok({}) : saved;
      }),
    'voices.remove': async ({ voiceId }) => withWorkspace(({ ownVoices }) => ownVoices.remove(voiceId)),
    'voices.removing': async () =>
      withWorkspace(async ({ ownVoices }) => {
        await ownVoices.goOn();
        return ok({ voiceIds: [...ownVoices.beingRemoved()] });
      }),
    'clone.read': async () =>
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
    'clone.keepRecording': async ({ pcm, ...recording }) =>
      withDraft(({ cloning }) => cloning.keepRecording({ ...recording, what: 'reference', parts: [pcm] })),
    'clone.chooseFile': async ({ token }, { windowId }) => {
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
        return token === null ? ok({ file: null }) : err(makeFailure('E-010', { code: 'unknown_file' }));
      const name = basename(path);
      return ok({ file: { name, mediaUrl: `/media/${mediaTokens.issue({ path, sha256: `voice-file-${name}` })}` } });
    },
    'clone.change': async (change) =>
      keys.isInText(change.transcript ?? '') || keys.isInText(change.details?.description ?? '')
        ? err(makeFailure('E-237'))
        : withDraft(({ cloning }) => cloning.change(definedOnly(change))),
    'clone.send': async ({ sending }) => withDraft(({ cloning }) => cloning.send(sending)),
    'clone.cancel': async () =>
      withWorkspace(({ cloning }) => {
        cloning.cancel();
        return ok({});
      }),
    'clone.discard': async () =>
      withWorkspace(async ({ cloning }) => {
        const discarded = await cloning.discard();
        return discarded.ok ? ok({}) : discarded;
      }),
  };
};

type Change = Parameters<Workspace['cloning']['change']>[0];
const definedOnly = (change: { readonly [K in keyof Change]: Change[K] | undefined }): Change =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));

/** How much of a recording a crash may lose. */
const spoolSeconds = 5;

/** Collects a recording from the page and stores it for the draft. */
export const recordingStream =
  ({ workspaces }: Pick<HandlerServices, 'workspaces'>): StreamHandlers<Contract>['clone.record'] =>
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
  };
