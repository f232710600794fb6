import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CloudOff, Download, ContactRound, Merge, Pencil, Plus, UserX } from 'lucide-react';
import { useState } from 'react';
import type { KnownSpeaker } from '../../../../shared/domain/library/library-item.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import { useConnection } from '../../../bridge/live-state.tsx';
import { failureOf, valueOrThrow } from '../../../bridge/request-error.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useFailureText } from '../../../lib/failure-text.ts';
import { useText, useFormats } from '../../../lib/text.ts';
import { ManyExports } from '../../../parts/exports/many-exports.tsx';
import { useKnownSpeakers, transcriptListKey } from '../../../parts/transcripts/transcripts-query.ts';
import { NameDialog } from '../../../parts/transcripts/name-dialog.tsx';
import { Button } from '../../../ui/button.tsx';
import { LanguageTag } from '../../../ui/chip.tsx';
import { Question, Dialog } from '../../../ui/dialog.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Field } from '../../../ui/field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { SpeakerMark } from '../../../ui/speaker-mark.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { Switch } from '../../../ui/switch.tsx';
import type { LibraryQuestion, NameQuestion } from '../library-context.ts';
import { useRun } from '../queries.ts';
import css from './dialogs.module.css';
import { menuEntry } from './item-menu.ts';
import { DialogRow, MediaDialog } from './media-dialog.tsx';
import { MoreMenu } from './more-menu.tsx';

const colours = [1, 2, 3, 4, 5, 6, 7, 8] as const;

interface QuestionsProps {
  readonly question: LibraryQuestion;
  readonly onClose: () => void;
  readonly onName: (question: NameQuestion, name: string) => void;
  readonly onErase: (atService: boolean) => void;
  readonly onLargest: () => void;
}

export function Questions({ question, onClose, onName, onErase, onLargest }: QuestionsProps) {
  const t = useText();
  if (question.tag === 'export')
    return (
      <ManyExports
        transcripts={question.items.flatMap(({ kind, id, title, states }) =>
          kind === 'transcript' ? [{ id, title, isSilent: states.includes('no-recording') }] : [],
        )}
        onClose={onClose}
      />
    );
  if (question.tag === 'remote') return <RemoteDialog onClose={onClose} />;
  if (question.tag === 'speakers') return <SpeakerBookDialog onClose={onClose} />;
  if (question.tag === 'media') return <MediaDialog onClose={onClose} onLargest={onLargest} />;
  return question.tag === 'erase' ? (
    <EraseQuestion items={question.items} onClose={onClose} onErase={onErase} />
  ) : (
    <NameDialog
      title={t(titles[question.tag])}
      name={nameIn(question)}
      onClose={onClose}
      onName={(name) => onName(question, name)}
    />
  );
}

const titles = {
  rename: 'library.rename',
  'new-folder': 'library.newFolder',
  'rename-folder': 'library.renameFolder',
  'new-tag': 'library.newTag',
  'rename-tag': 'library.renameTag',
} as const satisfies Record<NameQuestion['tag'], string>;

function nameIn(question: NameQuestion): string {
  if (question.tag === 'rename') return question.item.title;
  if (question.tag === 'rename-folder') return question.folder.name;
  return question.tag === 'rename-tag' ? question.named.name : '';
}

interface EraseQuestionProps {
  readonly items: Extract<LibraryQuestion, { tag: 'erase' }>['items'];
  readonly onClose: () => void;
  readonly onErase: (atService: boolean) => void;
}

function EraseQuestion({ items, onClose, onErase }: EraseQuestionProps) {
  const t = useText();
  const { mode } = useConnection();
  const isAtService = items.some((item) => item.isAtService === true);
  const [atService, setAtService] = useState(true);
  return (
    <Question
      isDanger
      isOpen
      staysOpen
      title={t('library.erase.title', { count: items.length })}
      confirm={t('library.erase.confirm')}
      onClose={onClose}
      onConfirm={() => onErase(isAtService && atService)}
      controls={
        isAtService &&
        !modeOf(mode).isOnThisComputer && (
          <Switch label={t('library.erase.atService')} isOn={atService} onChange={setAtService} />
        )
      }
    >
      {t('library.erase.text')}
    </Question>
  );
}

function RemoteDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText();
  const formats = useFormats();
  const studio = useStudio();
  const queries = useQueryClient();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['library-remote'],
    queryFn: async () => {
      const compared = await valueOrThrow(studio.request('library.remote', {}));
      // The answer also includes what was deleted at the service.
      void queries.invalidateQueries({ queryKey: transcriptListKey });
      return compared;
    },
    retry: false,
    gcTime: 0,
  });
  const bringing = useMutation({
    mutationFn: async (remoteIds: readonly string[]) => {
      for (const remoteId of remoteIds) {
        // oxlint-disable-next-line no-await-in-loop -- each import stands, whatever happens to the next
        await valueOrThrow(studio.request('library.bringIn', { remoteId }));
        queries.setQueryData<typeof data>(
          ['library-remote'],
          (now) => now && { ...now, items: now.items.filter((item) => item.remoteId !== remoteId) },
        );
      }
    },
    onSettled: () => queries.invalidateQueries({ queryKey: transcriptListKey }),
  });
  const failure = failureOf(error) ?? failureOf(bringing.error);
  const items = data?.items ?? [];
  const ready = items.filter(({ isReady }) => isReady);
  return (
    <Dialog
      isOpen
      title={t('library.remote.title')}
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{t('common.close')}</Button>
          {ready.length > 1 && (
            <Button
              variant="primary"
              icon={Download}
              isLoading={bringing.isPending}
              onPress={() => bringing.mutate(ready.map(({ remoteId }) => remoteId))}
            >
              {t('library.remote.bringAll', { count: ready.length })}
            </Button>
          )}
        </>
      }
    >
      {items.length > 0 && <p className={css['lead']}>{t('library.remote.text')}</p>}
      {data !== undefined && data.deletedCount > 0 && (
        <p className={css['note']}>{t('library.remote.deleted', { count: data.deletedCount })}</p>
      )}
      {data?.isWhole === false && <p className={css['note']}>{t('library.remote.notWhole')}</p>}
      <DialogState
        failure={failure}
        waiting={isPending ? t('library.remote.asking') : null}
        onRetry={error === null ? null : () => void refetch()}
      />
      {data !== undefined && items.length === 0 && (
        <EmptyState icon={CloudOff} title={t('library.remote.none')}>
          {t('library.remote.noneText')}
        </EmptyState>
      )}
      <ul className={css['rows']}>
        {items.map((item) => {
          const name = item.title === '' ? t('library.untitled.transcript') : item.title;
          const facts = [
            ...(item.createdAtMs === null ? [] : [formats.date(item.createdAtMs)]),
            ...(item.durationMs === null ? [] : [formats.clock(item.durationMs)]),
            ...(item.isReady ? [] : [t('library.remote.working')]),
          ];
          return (
            <DialogRow key={item.remoteId} title={name} note={facts.join(', ')}>
              {item.language && <LanguageTag code={item.language} name={t(`common.languageNames.${item.language}`)} />}
              <Button
                size="sm"
                isDisabled={!item.isReady || bringing.isPending}
                onPress={() => bringing.mutate([item.remoteId])}
              >
                {t('library.remote.bring')}
              </Button>
            </DialogRow>
          );
        })}
      </ul>
    </Dialog>
  );
}

interface Draft {
  readonly was: string | null;
  readonly name: string;
  readonly colour: number | null;
}

function SpeakerBookDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText();
  const { data, error, isPending, refetch } = useKnownSpeakers();
  const { save, forget, failure } = useBook();
  const [draft, setDraft] = useState<Draft | null>(null);
  const [removed, setRemoved] = useState<KnownSpeaker | null>(null);
  const speakers = data ?? [];
  const shownFailure = failureOf(error) ?? failure;
  const into = speakers.find(({ name }) => draft !== null && name === draft.name.trim() && name !== draft.was);
  const done = async () => {
    if (draft === null || draft.name.trim() === '') return;
    if (await save(draft)) setDraft(null);
  };
  const remove = async (speaker: KnownSpeaker) => {
    if (await forget(speaker.name)) setRemoved(speaker);
  };
  // The form asks for confirmation before it merges two names.
  const mergeOf = (speaker: KnownSpeaker) => ({
    id: 'merge',
    icon: Merge,
    text: t('library.book.merge'),
    entries: speakers
      .filter((one) => one !== speaker)
      .map(({ name, colour }) => {
        return { id: name, text: name, onAction: () => setDraft({ was: speaker.name, name, colour }) };
      }),
  });
  const form = draft !== null && (
    <div className={css['draft']}>
      <Field
        label={t('library.book.name')}
        value={draft.name}
        isAutoFocused
        onChange={(name) => setDraft({ ...draft, name })}
        onEnter={() => void done()}
      />
      <fieldset className={css['colours']}>
        <legend>{t('library.book.colourOf')}</legend>
        {colours.map((colour) => (
          <label key={colour}>
            <input
              type="radio"
              name="speaker-colour"
              checked={draft.colour === colour}
              onChange={() => setDraft({ ...draft, colour })}
            />
            <SpeakerMark number={colour} name={t('library.book.colour', { number: colour })} colour={colour} />
          </label>
        ))}
      </fieldset>
      {into !== undefined && draft.was !== null && (
        <p className={css['note']}>{t('library.book.becomesOne', { from: draft.was, into: into.name })}</p>
      )}
      <div className="flex gap-8 ending">
        <Button size="sm" onPress={() => setDraft(null)}>
          {t('common.cancel')}
        </Button>
        <Button size="sm" variant="primary" isDisabled={draft.name.trim() === ''} onPress={() => void done()}>
          {t(into !== undefined && draft.was !== null ? 'library.book.makeOne' : 'common.save')}
        </Button>
      </div>
    </div>
  );
  return (
    <Dialog
      isOpen
      title={t('library.book.title')}
      onClose={onClose}
      footer={<Button onPress={onClose}>{t('common.close')}</Button>}
    >
      <p className={css['lead']}>{t('library.book.text')}</p>
      <DialogState
        failure={shownFailure}
        waiting={isPending ? t('library.loading') : null}
        onRetry={error === null ? null : () => void refetch()}
      />
      <output>
        {removed !== null && (
          <span className={css['undo']}>
            {t('library.book.removed', { name: removed.name })}
            <Button
              size="sm"
              variant="ghost"
              onPress={() => {
                setRemoved(null);
                void save({ was: null, name: removed.name, colour: removed.colour });
              }}
            >
              {t('common.undo')}
            </Button>
          </span>
        )}
      </output>
      {draft?.was === null ? (
        form
      ) : (
        <Button size="sm" icon={Plus} onPress={() => setDraft({ was: null, name: '', colour: null })}>
          {t('library.book.add')}
        </Button>
      )}
      {data !== undefined && speakers.length === 0 && draft === null && (
        <EmptyState icon={ContactRound} title={t('library.book.none')}>
          {t('library.book.noneText')}
        </EmptyState>
      )}
      <ul className={css['rows']}>
        {speakers.map((speaker, at) =>
          draft?.was === speaker.name ? (
            <li key={speaker.name}>{form}</li>
          ) : (
            <DialogRow
              key={speaker.name}
              title={<SpeakerMark number={speaker.colour ?? at + 1} name={speaker.name} />}
              note={speaker.count === 0 ? t('library.book.unused') : t('library.book.count', { count: speaker.count })}
            >
              <IconButton
                size="sm"
                icon={Pencil}
                label={t('library.book.edit', { name: speaker.name })}
                onPress={() => setDraft({ was: speaker.name, name: speaker.name, colour: speaker.colour })}
              />
              <MoreMenu
                title={speaker.name}
                entries={[
                  ...(speakers.length < 2 ? [] : [mergeOf(speaker)]),
                  menuEntry('remove', t('library.book.remove'), UserX, () => void remove(speaker)),
                ]}
              />
            </DialogRow>
          ),
        )}
      </ul>
    </Dialog>
  );
}

function useBook() {
  const studio = useStudio();
  const { run, error } = useRun();
  return {
    failure: failureOf(error),
    save: ({ was, name, colour }: Draft) =>
      run(() => valueOrThrow(studio.request('library.saveSpeaker', { was, name: name.trim(), colour }))),
    forget: (name: string) => run(() => valueOrThrow(studio.request('library.forgetSpeaker', { name }))),
  };
}

interface DialogStateProps {
  readonly failure: Failure | null;
  readonly waiting: string | null;
  readonly onRetry: (() => void) | null;
}

function DialogState({ failure, waiting, onRetry }: DialogStateProps) {
  const t = useText();
  const words = useFailureText();
  return (
    <>
      {failure && (
        <p role="alert" className={css['failure']}>
          {words(failure).text}{' '}
          {onRetry !== null && (
            <Button size="sm" variant="ghost" onPress={onRetry}>
              {t('common.tryAgain')}
            </Button>
          )}
        </p>
      )}
      {waiting !== null && (
        <output className={css['waiting']}>
          <Spinner /> {waiting}
        </output>
      )}
    </>
  );
}
