import { useQuery } from '@tanstack/react-query';
import {
  ArrowRight,
  Columns2,
  Plus,
  Star,
  UserRoundX,
  CircleAlert,
  Trash2,
  AudioLines,
  Ellipsis,
  Pencil,
} from 'lucide-react';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { speechLanguages, type SpeechLanguage } from '../../../../shared/domain/languages.ts';
import { modeOf } from '../../../../shared/domain/modes.ts';
import type { SpeechVoice } from '../../../../shared/domain/speech/voices.ts';
import { cloneSteps } from '../../../../shared/domain/voices/clone-draft.ts';
import { cloneRules, findDetailTroubles, type VoiceDetails } from '../../../../shared/domain/voices/clone-rules.ts';
import type { Failure } from '../../../../shared/result/failure.ts';
import { useConnection, useSettings } from '../../../bridge/live-state.tsx';
import { valueOrThrow, failureOf } from '../../../bridge/request-error.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { cx } from '../../../lib/class-names.ts';
import { useCommands, useRunCommand } from '../../../lib/commands.tsx';
import { useFailureText } from '../../../lib/failure-text.ts';
import type { SectionScreenProps } from '../../../lib/section.ts';
import { useText, useFormats } from '../../../lib/text.ts';
import { NoKeyNotice, useLacksKey } from '../../../parts/connection/key-help.tsx';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { LanguageTag, Chip } from '../../../ui/chip.tsx';
import { Question, Dialog } from '../../../ui/dialog.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Panel, PanelActions, PanelContent, PanelTitle } from '../../../ui/panel.tsx';
import { SearchBox } from '../../../ui/search-box.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { Menu, type MenuEntry } from '../../../ui/menu.tsx';
import { useSpeakState, useSpeaking } from '../speak-context.tsx';
import { Orb, lookOf } from '../ui/voice-orb.tsx';
import { useVoices } from '../use-voices.ts';
import { CloneWizard } from './clone/clone-wizard.tsx';
import { isUploadLost, lostCodeOf, useClone, type Clone } from './clone/use-clone.tsx';
import { PlayButton } from '../ui/play-button.tsx';
import { previewId, usePreview, languageOf, sampleFor, useKnownPreviews, useIsHeard } from '../use-preview.ts';
import { CompareDialog } from './compare-dialog.tsx';
import { DetailsForm } from './details-form.tsx';
import { Toggle, VoiceFilters, VoiceLanguages, VoicesNotice, voiceFilter, type VoiceFilter } from './voice-filters.tsx';
import css from './voices-screen.module.css';

const mostCompared = 6;
/** Fewer voices are seen at a glance. */
const leastFiltered = 20;
const filters: readonly VoiceFilter[] = ['favourites', 'recent', 'female', 'male'];

export function VoicesScreen({ subpath, onSubpath }: SectionScreenProps) {
  const t = useText();
  const { mode } = useSettings();
  const words = useFailureText();
  const studio = useStudio();
  const showToast = useToast();
  const runCommand = useRunCommand();
  const { store } = useSpeaking();
  const marks = useSpeakState((state) => state.marks);
  const { data, error, isLoading, refetch } = useVoices();
  const clone = useClone();
  const lacksKey = useLacksKey();
  const removing = useRemoving();
  const [search, setSearch] = useState('');
  const [language, setLanguage] = useState<SpeechLanguage | null>(null);
  const [on, setOn] = useState<ReadonlySet<VoiceFilter>>(new Set());
  const [compared, setCompared] = useState<readonly string[]>([]);
  const [isComparing, setIsComparing] = useState(false);
  const [isAsked, setIsAsked] = useState(false);
  const [edited, setEdited] = useState<SpeechVoice | null>(null);
  const [removed, setRemoved] = useState<SpeechVoice | null>(null);
  useEffect(() => {
    if (store.getState().document === null) void store.load();
  }, [store]);
  const voices = data?.voices ?? [];
  useKnownPreviews(useMemo(() => (data?.voices ?? []).map(sampleFor), [data]));
  const openWizard = () => onSubpath('clone');
  const isMade = clone.draft?.step === 'ready' && voices.some(({ id }) => id === clone.draft?.voiceId);
  const draft = isMade ? null : clone.draft;
  const forget = useEffectEvent(() => void clone.discard());
  // The voice stands at the service, also when the last step was left in another way than by its button.
  useEffect(() => {
    if (isMade && subpath !== 'clone') forget();
  }, [isMade, subpath]);
  const speakWith = (voice: SpeechVoice) => {
    const inUse = store.getState().document?.defaults.language;
    const fitting = inUse !== undefined && voice.languages.includes(inUse) ? inUse : languageOf(voice);
    store.setDefaults({ language: fitting, voiceId: voice.id });
    store.markRecent(voice.id);
    runCommand('section.speak');
  };
  useCommands({ 'voices.clone': openWizard });
  // One voice at a time is in progress, so an unfinished one is asked about.
  const begin = () => (draft === null ? openWizard() : setIsAsked(true));
  const remove = async ({ id, name }: SpeechVoice) => {
    const answer = await studio.request('voices.remove', { voiceId: id });
    if (!answer.ok)
      return showToast({ text: `${t('voices.notRemoved')}. ${words(answer.error).text}`, shownForMs: 12_000 });
    showToast({ text: t(answer.value.isCleaningUp ? 'voices.removedCleaning' : 'voices.removed', { name }) });
    setCompared((before) => before.filter((one) => one !== id));
    return Promise.all([refetch(), removing.reload(), clone.reload()]);
  };
  const isFit = voiceFilter(search, on, marks);
  const isShown = (voice: SpeechVoice) => isFit(voice) && (language === null || voice.languages.includes(language));
  const own = voices.filter(({ isOwn }) => isOwn);
  const isFull = own.length >= cloneRules.voices || clone.capabilities?.available === false;
  const shown = voices.filter((voice) => !voice.isOwn && isShown(voice));
  const shownOwn = own.filter(isShown);
  const chosen = voices.filter(({ id }) => compared.includes(id));
  const lengths = voices.map((voice) => Array.from(sampleFor(voice).text).length);
  const [from, to] = [Math.min(...lengths), Math.max(...lengths)];
  const card = (voice: SpeechVoice) => (
    <VoiceCard
      key={voice.id}
      voice={voice}
      isRemoving={removing.ids.includes(voice.id)}
      isCompared={compared.includes(voice.id)}
      onUse={() => speakWith(voice)}
      onCompare={() =>
        setCompared((before) =>
          before.includes(voice.id)
            ? before.filter((id) => id !== voice.id)
            : [...before, voice.id].slice(-mostCompared),
        )
      }
      onEdit={() => setEdited(voice)}
      onRemove={() => setRemoved(voice)}
    />
  );
  return (
    <Panel
      header={
        <>
          <PanelTitle>{t('voices.title')}</PanelTitle>
          <PanelActions>
            <SearchBox
              label={t('voices.search')}
              placeholder={t('voices.search')}
              value={search}
              onChange={setSearch}
            />
            <Button variant="primary" icon={Plus} isDisabled={isFull} onPress={begin}>
              {t('voices.clone')}
            </Button>
          </PanelActions>
        </>
      }
    >
      <PanelContent label={t('voices.title')}>
        <div className={css['scroll']}>
          {lacksKey && <NoKeyNotice />}
          <VoicesNotice data={data} error={error} refetch={refetch} />
          {isLoading && <p className={css['hint']}>{t('speak.voices.loading')}</p>}
          {data !== undefined && (
            <>
              <div className={css['head']}>
                <h2>{t('voices.own')}</h2>
                <span className={cx('caption digits subtle', 'flex gap-2 apart')}>
                  {t('voices.countOf', { count: own.length, most: cloneRules.voices })}
                </span>
                {isFull && <p className={css['hint']}>{t('voices.limit')}</p>}
              </div>
              {own.length === 0 && draft === null && <p className={css['hint']}>{t('voices.cloneHint')}</p>}
              <ul className={css['grid']} aria-label={t('voices.own')}>
                {shownOwn.map(card)}
                {draft !== null && <DraftCard clone={clone} onOpen={openWizard} />}
              </ul>
              <div className={css['head']}>
                <h2>{t('voices.catalogue')}</h2>
                <VoiceLanguages label={t('voices.languages')} language={language} onLanguage={setLanguage}>
                  <Toggle isOn={language === null} onPress={() => setLanguage(null)}>
                    {t('voices.all')}
                  </Toggle>
                </VoiceLanguages>
                {voices.length >= leastFiltered && <VoiceFilters filters={filters} on={on} onFilters={setOn} />}
                {voices.length > 0 && (
                  <p className={css['hint']}>
                    {modeOf(mode).isFree
                      ? t('voices.practiceFree')
                      : from === to
                        ? t('voices.costHint', { count: to })
                        : t('voices.costsHint', { from, to })}
                  </p>
                )}
              </div>
              {shown.length > 0 ? (
                <ul className={css['grid']} aria-label={t('voices.catalogue')}>
                  {shown.map(card)}
                </ul>
              ) : voices.length === 0 ? (
                <EmptyState icon={UserRoundX} title={t('voices.noneAtAll')}>
                  {t('voices.noneAtAllText')}
                </EmptyState>
              ) : (
                <EmptyState
                  icon={UserRoundX}
                  title={t('voices.none')}
                  action={
                    <Button
                      onPress={() => {
                        setSearch('');
                        setLanguage(null);
                        setOn(new Set());
                      }}
                    >
                      {t('speak.voices.showAll')}
                    </Button>
                  }
                >
                  {t('voices.noneText')}
                </EmptyState>
              )}
            </>
          )}
        </div>
        {chosen.length > 0 && (
          <section className={css['bar']} aria-label={t('voices.compare')}>
            {t('voices.chosen', { count: chosen.length })}
            {chosen.length < 2 && <span className={css['hint']}>{t('voices.chooseMore')}</span>}
            <Button variant="ghost" size="sm" onPress={() => setCompared([])}>
              {t('voices.clear')}
            </Button>
            <Button size="sm" icon={Columns2} isDisabled={chosen.length < 2} onPress={() => setIsComparing(true)}>
              {t('voices.compareNow')}
            </Button>
          </section>
        )}
      </PanelContent>
      {isComparing && <CompareDialog voices={chosen} onUse={speakWith} onClose={() => setIsComparing(false)} />}
      {edited !== null && (
        <DetailsDialog
          voice={edited}
          onClose={(isChanged) => {
            setEdited(null);
            if (isChanged) void refetch();
          }}
        />
      )}
      {removed !== null && (
        <Question
          isDanger
          isOpen
          title={t('voices.removeTitle', { name: removed.name })}
          confirm={t('voices.removeConfirm')}
          cancel={t('voices.keep')}
          onConfirm={() => void remove(removed)}
          onClose={() => setRemoved(null)}
        >
          {t('voices.removeText')}
        </Question>
      )}
      <Question
        isDanger
        isOpen={isAsked}
        title={t('voices.anotherTitle')}
        confirm={t('voices.anotherConfirm')}
        cancel={t('voices.keep')}
        onConfirm={() => void clone.discard().then((isGone) => isGone && openWizard())}
        onClose={() => setIsAsked(false)}
      >
        {t('voices.anotherText', { name: draft?.details.name.trim() || t('voices.draft') })}
      </Question>
      {subpath === 'clone' && (
        <CloneWizard
          clone={clone}
          onUse={speakWith}
          onEdit={setEdited}
          onClose={() => {
            onSubpath('');
            void refetch();
          }}
        />
      )}
    </Panel>
  );
}

const againAfterMs = 30_000;

/** Disabled voices whose recordings the service is still deleting; each check repeats the request. */
function useRemoving() {
  const studio = useStudio();
  const { mode } = useConnection();
  const { data, refetch } = useQuery({
    queryKey: ['voices', 'removing', mode],
    queryFn: () => valueOrThrow(studio.request('voices.removing', {})),
    retry: false,
    refetchInterval: ({ state }) => ((state.data?.voiceIds.length ?? 0) > 0 ? againAfterMs : false),
  });
  return { ids: data?.voiceIds ?? [], reload: refetch };
}

function DetailsDialog(props: { readonly voice: SpeechVoice; readonly onClose: (isChanged: boolean) => void }) {
  const { voice, onClose } = props;
  const t = useText();
  const words = useFailureText();
  const studio = useStudio();
  const showToast = useToast();
  const { data, error } = useQuery({
    queryKey: ['voices', 'details', voice.id],
    queryFn: () => valueOrThrow(studio.request('voices.details', { voiceId: voice.id })),
    retry: false,
    gcTime: 0,
  });
  const [changed, setChanged] = useState<VoiceDetails | null>(null);
  const [isSaving, setIsSaving] = useState(false);
  const [refusal, setRefusal] = useState<Failure | null>(null);
  const details = changed ?? data?.details ?? null;
  const failure = refusal ?? failureOf(error);
  const save = async () => {
    if (details === null) return;
    setIsSaving(true);
    const language = data?.language ?? languageOf(voice);
    const answer = await studio.request('voices.saveDetails', { voiceId: voice.id, details, language });
    setIsSaving(false);
    if (!answer.ok) {
      setRefusal(answer.error);
      return;
    }
    showToast({ text: t('voices.saved') });
    onClose(true);
  };
  return (
    <Dialog
      isOpen
      title={t('voices.detailsTitle')}
      onClose={() => onClose(false)}
      footer={
        <>
          <Button onPress={() => onClose(false)}>{t('voices.cancel')}</Button>
          <Button
            variant="primary"
            isLoading={isSaving}
            isDisabled={changed === null || findDetailTroubles(changed).length > 0}
            onPress={() => void save()}
          >
            {t('voices.save')}
          </Button>
        </>
      }
    >
      {details !== null && <DetailsForm showsTroubles details={details} onChange={setChanged} />}
      {failure !== null && (
        <Banner role="alert" tone="bad" icon={CircleAlert} title={words(failure).title}>
          {words(failure).textAfterTitle}
        </Banner>
      )}
    </Dialog>
  );
}

function DraftCard({ clone, onOpen }: { readonly clone: Clone; readonly onOpen: () => void }) {
  const t = useText();
  const words = useFailureText();
  const formats = useFormats();
  const showToast = useToast();
  const [isAsked, setIsAsked] = useState(false);
  const { draft } = clone;
  if (draft === null) return null;
  const begunAtMs = draft.dates?.begunAtMs ?? null;
  const name = draft.details.name.trim() || t('voices.draft');
  const discard = async () => {
    if (await clone.discard()) showToast({ text: t('voices.wizard.discarded') });
  };
  return (
    <li className={css['card']} aria-label={name}>
      <div className="row gap-4 between">
        <Orb size="lg" look={draft.details.palette} />
        <IconButton size="sm" icon={Trash2} label={t('voices.deleteDraft')} onPress={() => setIsAsked(true)} />
      </div>
      <div className={css['cardWords']}>
        <span className={css['name']}>{name}</span>
        <span className={css['about']}>
          {t('voices.draftStep', {
            number: cloneSteps.indexOf(draft.step) + 1,
            step: t(`voices.wizard.steps.${draft.step}`),
          })}
          {begunAtMs !== null && ` · ${t('voices.begunOn', { date: formats.date(begunAtMs) })}`}
        </span>
        {draft.failure !== null && (
          <output className={css['hint']}>
            {isUploadLost(draft.failure)
              ? t(`voices.wizard.lost.${lostCodeOf(draft.failure)}.title`)
              : words(draft.failure).title}
          </output>
        )}
      </div>
      <div className={cx(css['cardFoot'], 'wrap')}>
        <LanguageTag code={draft.language} name={t(`common.languageNames.${draft.language}`)} />
        <span className="flex gap-2 apart">
          <Button size="sm" iconAfter={ArrowRight} onPress={onOpen}>
            {t('voices.continue')}
          </Button>
        </span>
      </div>
      <Question
        isDanger
        isOpen={isAsked}
        title={t('voices.wizard.discardTitle')}
        confirm={t('voices.wizard.discardConfirm')}
        cancel={t('voices.keep')}
        onConfirm={() => void discard()}
        onClose={() => setIsAsked(false)}
      >
        {t('voices.wizard.discardText')}
      </Question>
    </li>
  );
}

function VoiceCard(props: {
  readonly voice: SpeechVoice;
  readonly isRemoving: boolean;
  readonly isCompared: boolean;
  readonly onUse: () => void;
  readonly onCompare: () => void;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}) {
  const { voice, isRemoving, isCompared, onUse, onCompare, onEdit, onRemove } = props;
  const t = useText();
  const { name, languages, gender, isOwn } = voice;
  const about =
    (voice.description ?? '') !== ''
      ? voice.description
      : isOwn
        ? t('voices.ownHint')
        : gender === 'female' || gender === 'male'
          ? t(gender === 'female' ? 'speak.voices.genderFemale' : 'speak.voices.genderMale')
          : '';
  const entries: readonly MenuEntry[] = [
    { id: 'use', text: t('voices.useInSpeak'), icon: AudioLines, onAction: onUse },
    {
      id: 'compare',
      text: t(isCompared ? 'voices.noCompare' : 'voices.compareWith', { name }),
      icon: Columns2,
      onAction: onCompare,
    },
    ...(isOwn
      ? ([
          'separator',
          { id: 'edit', text: t('voices.editDetails'), icon: Pencil, onAction: onEdit },
          { id: 'remove', text: t('voices.remove'), icon: Trash2, isDanger: true, onAction: onRemove },
        ] as const)
      : []),
  ];
  return (
    <li className={cx(css['card'], isCompared && css['compared'])} aria-label={name}>
      <div className="row gap-4 between">
        <Orb size="lg" look={lookOf(voice)} />
        {!isRemoving && <Listen voice={voice} />}
      </div>
      <div className={css['cardWords']}>
        <span className={css['name']}>{name}</span>
        <span className={css['about']}>{about}</span>
      </div>
      <div className={css['cardFoot']}>
        {speechLanguages
          .filter((language) => languages.includes(language))
          .map((language) => (
            <LanguageTag key={language} code={language} name={t(`common.languageNames.${language}`)} />
          ))}
        {isRemoving ? (
          <Chip tone="warn">{t('voices.removing')}</Chip>
        ) : (
          isOwn && <Chip tone="ok">{t('voices.private')}</Chip>
        )}
        <span className="flex gap-2 apart">
          <FavouriteButton voice={voice} />
          {!isRemoving && (
            <Menu
              label={t('voices.more', { name })}
              entries={entries}
              trigger={<IconButton size="sm" icon={Ellipsis} label={t('voices.more', { name })} />}
            />
          )}
        </span>
      </div>
      {isRemoving && <p className={css['hint']}>{t('voices.removingHint')}</p>}
    </li>
  );
}

/** States the cost of the first preview before it is paid. */
function Listen({ voice }: { readonly voice: SpeechVoice }) {
  const t = useText();
  const { mode } = useSettings();
  const sample = sampleFor(voice);
  const wasHeard = useIsHeard(sample);
  const preview = usePreview();
  const { name } = voice;
  const label =
    wasHeard || modeOf(mode).isFree
      ? t('voices.listenPractice', { name })
      : t('voices.listenFirst', { name, count: Array.from(sample.text).length });
  return (
    <PlayButton
      variant="default"
      className={css['play']}
      partId={previewId(voice.id)}
      name={name}
      label={label}
      stopLabel={t('speak.voices.stopPreview', { name })}
      onPlay={() => preview([sample])}
    />
  );
}

function FavouriteButton({ voice: { id, name } }: { readonly voice: SpeechVoice }) {
  const t = useText();
  const { store } = useSpeaking();
  const isFavourite = useSpeakState(({ marks }) => marks.favourites.includes(id));
  return (
    <IconButton
      size="sm"
      icon={Star}
      className={isFavourite ? css['favourite'] : undefined}
      label={t(isFavourite ? 'speak.voices.removeFavourite' : 'speak.voices.addFavourite', { name })}
      onPress={() => store.toggleFavourite(id)}
    />
  );
}
