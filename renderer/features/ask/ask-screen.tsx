import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleAlert, CloudOff, History, MessageSquareQuote, ShieldX, SquarePen, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { ChosenSource, Citation } from '../../../shared/domain/assistant/ask-messages.ts';
import {
  type AskTask,
  isLineTask,
  type LineTask,
  longestQuestion,
  mostAskedAbout,
} from '../../../shared/domain/assistant/ask-tasks.ts';
import { isTextName } from '../../../shared/domain/imports/read-subtitles.ts';
import type { SpeechLanguage } from '../../../shared/domain/languages.ts';
import { isUnsentForNow } from '../../../shared/domain/failures/network-fault.ts';
import { modeOf } from '../../../shared/domain/modes.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import { useConnection } from '../../bridge/live-state.tsx';
import { failureOf, valueOrThrow } from '../../bridge/request-error.ts';
import { useStudio } from '../../bridge/studio-context.tsx';
import type { Asked, ExchangeView } from '../../bridge/types.ts';
import { useCommands } from '../../lib/commands.tsx';
import { useFailureText } from '../../lib/failure-text.ts';
import type { SectionScreenProps } from '../../lib/section.ts';
import { useFormats, useText } from '../../lib/text.ts';
import { useNow } from '../../lib/use-now.ts';
import { KeyHelp, NoKeyNotice, useLacksKey, useSendBlocker } from '../../parts/connection/key-help.tsx';
import { useFileDrop } from '../../parts/files/use-file-drop.ts';
import { TranscriptChooser } from '../../parts/transcripts/transcript-chooser.tsx';
import { transcriptListKey } from '../../parts/transcripts/transcripts-query.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { useUndoNotice } from '../../ui/notices.ts';
import { Panel, PanelActions, PanelContent, PanelTitle } from '../../ui/panel.tsx';
import { useToast } from '../../ui/toast.tsx';
import {
  newPlace,
  useAsking,
  useDrafts,
  useEscape,
  usePlace,
  useSources,
  useEstimate,
  useModels,
  useUsualWords,
} from './ask-hooks.ts';
import css from './ask.module.css';
import { readsFiles, useAttachments } from './ui/attachments.tsx';
import { Composer, useModelName } from './ui/composer.tsx';
import {
  AddSource,
  SourcesBar,
  sourcesOf,
  useSourceFacts,
  useTextSources,
  withoutSource,
  withSources,
} from './ui/sources.tsx';
import { Thread } from './ui/thread.tsx';

export function AskScreen({ subpath, onSubpath }: SectionScreenProps) {
  const t = useText();
  const studio = useStudio();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const { about, conversationId, exchangeAt, startNew: leave } = usePlace(subpath, onSubpath);
  const opened = useQuery({
    // Under the query key of transcripts, because the library can rename, trash and restore them.
    queryKey: [...transcriptListKey, 'conversation', conversationId],
    queryFn: () => valueOrThrow(studio.request('ask.open', { conversationId: conversationId ?? '' })),
    retry: false,
    enabled: conversationId !== null,
    // An answer requested by an earlier page may still be arriving in main.
    refetchInterval: ({ state }) => (state.data?.exchanges.some(isArriving) === true ? 1000 : false),
  });
  const { refetch } = opened;
  // The account's log may tell later what an answer cost.
  useEffect(
    () =>
      studio.subscribe('usage.changed', () => {
        if (conversationId !== null) void refetch();
      }),
    [studio, conversationId, refetch],
  );
  const conversation = conversationId === null ? undefined : opened.data;
  const field = useRef<HTMLTextAreaElement>(null);
  const place = conversationId ?? 'new';
  const [question, setQuestion] = useDrafts(place, '');
  const [isChoosing, setIsChoosing] = useState(false);
  const { idsOf, isDictation, isThere, library } = useSourceFacts();
  const kept = conversation?.sources?.every(isThere) === true ? conversation.sources : null;
  const [sources, setSources] = useSources(conversationId, kept ?? sourcesOf(conversation?.transcriptIds ?? []), about);
  const ids = idsOf(sources);
  const addTexts = useTextSources();
  const [answerIn, setAnswerIn] = useState<SpeechLanguage | null>(null);
  const { ask, stop, arriving, isAsking, refusal } = useAsking((id) => {
    // Folders and searches stay what they are in the conversation that begins with them.
    setSources(sources, id);
    onSubpath(id);
  });
  const isUnsent = refusal !== null && isUnsentForNow(refusal.failure);
  const [reachedAtMs, setReachedAtMs] = useState(0);
  const isRefused = refusal !== null && !(isUnsent && reachedAtMs > refusal.atMs);
  const models = useModels(isUnsent && isRefused);
  // The service answers again, so nothing says any more that it does not.
  if (models.isSuccess && models.dataUpdatedAt > reachedAtMs) setReachedAtMs(models.dataUpdatedAt);
  const [chosenModel, setChosenModel] = useState<string | null>(null);
  const lastModel = conversation?.exchanges.at(-1)?.model;
  const attachments = useAttachments(place);
  const { files } = attachments;
  const addTextFiles = async (chosen: readonly File[] | null) => {
    const added = await addTexts(chosen);
    setSources(withSources(sources, sourcesOf(added)));
  };
  useFileDrop((dropped) => {
    const texts = dropped.filter(({ name }) => isTextName(name));
    if (texts.length > 0) void addTextFiles(texts);
    if (texts.length < dropped.length) void attachments.attach(dropped.filter((file) => !texts.includes(file)));
  });
  const allFiles = [...(conversation?.exchanges.flatMap((one) => one.files) ?? []), ...files];
  const able = models.data?.filter((one) => readsFiles(one, allFiles));
  const model =
    able?.find(({ id }) => id === chosenModel) ?? able?.find(({ id }) => id === lastModel) ?? able?.[0] ?? null;
  const modelName = useModelName();
  const [lineTask, setLineTask] = useState<LineTask | null>(null);
  const base = { conversationId, transcriptIds: [...ids], question, files: files.map(({ token }) => token) };
  const isNothing = model === null || ids.length + question.trim().length === 0;
  // With room for words that are still typed, so that the price does not move with each of them.
  const roomy = question.padEnd(Math.ceil((question.length + 1) / roomLength) * roomLength).slice(0, longestQuestion);
  const asked = isNothing ? null : { ...base, question: roomy, task: 'question' as const, model: model.id };
  const estimate = useEstimate(asked);
  const canAsk = model !== null && !isAsking && !(conversation?.exchanges.some(isArriving) ?? false);
  const startNew = () => {
    leave();
    // Most questions of a new conversation are about the same recordings.
    setSources(sources, newPlace);
    field.current?.focus();
  };
  useCommands({ 'ask.new': startNew });
  useEscape(arriving && (() => stop(arriving.exchange.id)));
  const send = (task: AskTask) => {
    if (!canAsk) return;
    const title = task === 'question' ? question.trim().slice(0, 120) : t(`ask.tasks.${task}`);
    const isAboutLines = isLineTask(task);
    // With its words, so that asking once more is the same question.
    const language = answerIn === null ? [] : [t(`ask.answerInWords.${answerIn}`)];
    const words = [question.trim(), ...language].filter((part) => part !== '').join('\n');
    const more = isAboutLines ? { question: '', files: [] } : { question: words };
    void ask({ ...base, ...more, sources, task, model: model.id, title, again: null }, () => {
      if (isAboutLines) return;
      setQuestion(() => '');
      attachments.clear();
    });
  };
  const sendAgain = ({ id, task, question: before, model: modelId }: ExchangeView) => {
    if (conversation === undefined) return;
    const more = { question: before, files: [], title: conversation.title };
    void ask({ ...base, ...more, sources, task, model: modelId, again: id }, () => undefined);
  };
  const check = async ({ id }: ExchangeView) => {
    await studio.request('ask.settle', { exchangeId: id });
    await queries.invalidateQueries({ queryKey: transcriptListKey });
  };
  const openAt = ({ transcriptId, startMs }: Pick<Citation, 'transcriptId' | 'startMs'>) =>
    navigate(
      isDictation(transcriptId)
        ? `/dictate/document/${transcriptId}`
        : `/transcripts/${transcriptId}/${String(Math.round(startMs))}`,
    );
  const adding = {
    sources,
    onSources: (next: readonly ChosenSource[]) => setSources(next),
    onChoose: () => setIsChoosing(true),
    onAddTexts: () => void addTextFiles(null),
  };
  const isUntouched = conversation === undefined && sources.length === 0;
  const endChoosing = () => {
    setIsChoosing(false);
    // The dialog returns the focus a frame later, to a button that may be gone by then.
    requestAnimationFrame(() => requestAnimationFrame(() => field.current?.focus()));
  };
  return (
    <Panel
      header={
        <>
          <PanelTitle>{t('ask.title')}</PanelTitle>
          <PanelActions>
            <PastQuestions
              current={conversation ?? null}
              onOpen={onSubpath}
              onRemoved={() => {
                if (arriving !== null) stop(arriving.exchange.id);
                startNew();
              }}
            />
            {!isUntouched && (
              <Button icon={SquarePen} onPress={startNew}>
                {t('ask.new')}
              </Button>
            )}
          </PanelActions>
        </>
      }
    >
      <PanelContent label={t('ask.title')}>
        {!isUntouched && <SourcesBar {...adding} />}
        <Notices
          failures={[
            isRefused ? refusal.failure : null,
            ...[models, opened, estimate].map(({ error }) => failureOf(error)),
          ]}
          told={conversation?.exchanges.at(-1)?.failure ?? null}
        />
        {able?.length === 0 && (models.data?.length ?? 0) > 0 && (
          <p role="alert" className="small muted">
            {t('ask.noFileModel')}
          </p>
        )}
        {conversation === undefined ? (
          <div className={css['nothing']}>
            <EmptyState
              icon={MessageSquareQuote}
              title={t(ids.length === 0 ? 'ask.empty.title' : 'ask.empty.ready')}
              {...(ids.length === 0 && { action: <AddSource {...adding} isMain /> })}
            >
              {t('ask.empty.text')}
            </EmptyState>
          </div>
        ) : (
          <Thread
            key={conversation.id}
            exchanges={conversation.exchanges}
            cited={conversation.cited}
            arriving={arriving}
            beginsAt={exchangeAt}
            canAsk={canAsk}
            onOpen={openAt}
            onStop={stop}
            onAgain={sendAgain}
            onCheck={(exchange) => void check(exchange)}
          />
        )}
        <Composer
          field={field}
          question={question}
          onQuestion={(typed) => setQuestion(() => typed)}
          models={models}
          model={model}
          onModel={setChosenModel}
          answerIn={answerIn}
          onAnswerIn={setAnswerIn}
          estimate={estimate.data}
          canAsk={canAsk}
          asked={asked}
          sourceCount={ids.length}
          attachments={attachments}
          allFiles={allFiles}
          onAsk={(task) => {
            if (isLineTask(task)) setLineTask(task);
            else send(task);
          }}
        />
      </PanelContent>
      {lineTask !== null && model !== null && (
        <LineTaskDialog
          asked={{ ...base, question: '', files: [], task: lineTask, model: model.id }}
          modelName={modelName(model)}
          onStart={() => send(lineTask)}
          onClose={() => setLineTask(null)}
        />
      )}
      {isChoosing && (
        <TranscriptChooser
          title={t('ask.choose')}
          chosenIds={ids}
          dictations={
            library?.items.filter(({ kind, trashedAtMs }) => kind === 'dictation' && trashedAtMs === null) ?? []
          }
          atMost={mostAskedAbout}
          onChooseAll={(all, words) => {
            const found = all.map(({ id }) => id);
            const added: readonly ChosenSource[] =
              words === '' ? sourcesOf(found) : [{ kind: 'search', id: words, itemIds: found }];
            setSources(withSources(sources, added));
          }}
          onChoose={({ id }) => {
            const one = { kind: 'item', id } as const;
            if (sources.some((other) => other.kind === 'item' && other.id === id))
              setSources(withoutSource(sources, one));
            else if (ids.length < mostAskedAbout) setSources(withSources(sources, [one]));
          }}
          onClose={endChoosing}
        />
      )}
    </Panel>
  );
}

const roomLength = 500;

const isArriving = ({ state }: ExchangeView): boolean => state === 'asking';

interface NoticesProps {
  readonly failures: readonly (Failure | null)[];
  readonly told: Failure | null;
}

function Notices({ failures, told }: NoticesProps) {
  const t = useText();
  const words = useFailureText();
  const { mode, isOnline } = useConnection();
  const grant = useSendBlocker('ask');
  const isOffline = mode === 'service' && !isOnline;
  const lacksKey = useLacksKey();
  const rows = new Set<string>(told === null ? [] : [told.kind]);
  // That there is no key says it all, so a question that was refused for it says nothing more.
  if (lacksKey) rows.add('key-missing');
  const shown = failures.filter((one) => one !== null && !rows.has(one.kind) && rows.add(one.kind));
  return (
    <div className={css['notices']}>
      {isOffline && (
        <Banner tone="warn" icon={CloudOff} title={t('shell.offline.title')}>
          {t('ask.offline')}
        </Banner>
      )}
      {lacksKey && <NoKeyNotice text={t('ask.noKey.text')} />}
      {grant && (
        <Banner tone="warn" icon={ShieldX} title={words(grant).title}>
          {words(grant).textAfterTitle}
        </Banner>
      )}
      {!isOffline &&
        shown.map(
          (failure) =>
            failure && (
              <Banner
                key={failure.kind}
                role="alert"
                tone="bad"
                icon={CircleAlert}
                title={words(failure).title}
                {...(failure.kind === 'key-refused' && { actions: <KeyHelp /> })}
              >
                {isUnsentForNow(failure) ? t('ask.unsent') : words(failure).textAfterTitle}
              </Banner>
            ),
        )}
    </div>
  );
}

interface PastQuestionsProps {
  readonly current: { readonly id: string; readonly title: string } | null;
  readonly onOpen: (conversationId: string) => void;
  readonly onRemoved: () => void;
}

function PastQuestions({ current, onOpen, onRemoved }: PastQuestionsProps) {
  const t = useText();
  const formats = useFormats();
  const studio = useStudio();
  const queries = useQueryClient();
  const { data = [] } = useQuery({
    queryKey: [...transcriptListKey, 'conversations'],
    queryFn: async () => (await valueOrThrow(studio.request('ask.conversations', {}))).conversations,
    retry: false,
  });
  const nowMs = useNow(false);
  const words = useFailureText();
  const showToast = useToast();
  const showUndo = useUndoNotice();
  const put = async (id: string, where: 'library.trash' | 'library.restore'): Promise<boolean> => {
    const done = await studio.request(where, { items: [{ kind: 'conversation', id }] });
    await queries.invalidateQueries({ queryKey: transcriptListKey });
    if (!done.ok) showToast({ text: words(done.error).text, icon: CircleAlert });
    return done.ok;
  };
  const remove = async (id: string) => {
    if (!(await put(id, 'library.trash'))) return;
    onRemoved();
    const bringBack = async () => {
      if (await put(id, 'library.restore')) onOpen(id);
    };
    showUndo({ text: t('ask.removed'), icon: Trash2, undo: () => void bringBack() });
  };
  return (
    <Menu
      label={t('ask.past')}
      chosenId={current?.id ?? null}
      trigger={<IconButton icon={History} label={t('ask.past')} isDisabled={data.length === 0} />}
      entries={[
        ...data.slice(0, 100).map(({ id, title, changedAtMs }) => ({
          id,
          text: `${title} · ${formats.moment(changedAtMs, nowMs)}`,
          onAction: () => onOpen(id),
        })),
        ...(current === null
          ? []
          : [
              'separator' as const,
              { id: 'remove', text: t('ask.remove'), icon: Trash2, onAction: () => void remove(current.id) },
            ]),
      ]}
    />
  );
}

interface LineTaskDialogProps {
  readonly asked: Asked & { readonly task: LineTask };
  readonly modelName: string;
  readonly onStart: () => void;
  readonly onClose: () => void;
}

function LineTaskDialog({ asked, modelName, onStart, onClose }: LineTaskDialogProps) {
  const t = useText();
  const { data } = useEstimate(asked);
  const isPractice = modeOf(useConnection().mode).isFree;
  const cost = useUsualWords()(data);
  return (
    <Dialog
      isOpen
      width="sm"
      title={t(`ask.tasks.${asked.task}`)}
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          <Button
            variant="primary"
            isDisabled={data === undefined}
            onPress={() => {
              onClose();
              onStart();
            }}
          >
            {t('ask.lineTask.go')}
          </Button>
        </>
      }
    >
      <div className={css['dialog']}>
        <p>{t('ask.lineTask.text')}</p>
        <p className="row gap-8 thin" aria-live="polite">
          <span>{data === undefined ? '…' : t('ask.lines', { count: data.lines })}</span>
          <span>{t('ask.modelIs', { name: modelName })}</span>
          <span>{isPractice ? t('ask.free') : cost}</span>
        </p>
        <p className="small muted">{t('ask.lineTask.note')}</p>
      </div>
    </Dialog>
  );
}
