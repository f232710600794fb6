import { clockTime, subtitleTime } from '../../../../../shared/domain/exports/format-text.ts';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown, TriangleAlert } from 'lucide-react';
import { Fragment } from 'react';
import {
  namings,
  storedName,
  type OptionSpec,
  type OptionValue,
  hasSeveralSpeakers,
} from '../../../../../shared/domain/exports/exporter.ts';
import { isCutFormat, isVideoFormat } from '../../../../../shared/domain/exports/formats.ts';
import { readNaming } from '../../../../../shared/domain/exports/subtitles.ts';
import { otherScript } from '../../../../../shared/domain/transcript/in-script.ts';
import { isPartlyUnheard } from '../../../../../shared/domain/transcript/edit-marks.ts';
import { isCut, isRedacted } from '../../../../../shared/domain/transcript/transcript.ts';
import { valueOrThrow } from '../../../../bridge/request-error.ts';
import { useStudio } from '../../../../bridge/studio-context.tsx';
import { tellApart } from '../../../../lib/tell-apart.ts';
import { useText, useWordsIn, useFormats } from '../../../../lib/text.ts';
import { useNow } from '../../../../lib/use-now.ts';
import { NumberOption } from '../../../../parts/exports/number-option.tsx';
import { ProfileOption } from '../../../../parts/exports/profile-option.tsx';
import { LineAlert } from '../../../../ui/line-alert.tsx';
import { Segmented } from '../../../../ui/segmented.tsx';
import { Select } from '../../../../ui/select.tsx';
import { Switch } from '../../../../ui/switch.tsx';
import { useDocument, useEditor } from '../../editor-context.ts';
import css from './export-form.module.css';
import { serviceFormats, type ExportChoice } from './use-export-choice.ts';
import { TimeField } from '../time-field.tsx';

/** A longer list would help nobody; transcripts of the same recording come first. */
const mostOffered = 300;

/** Rarely changed options; their section is collapsed at first. Times without cuts stand out where there are cuts. */
const rare: ReadonlySet<string> = new Set([
  'charactersPerLine',
  'charactersPerSecond',
  'linesPerCue',
  'splitsAtSentences',
  'minimumMs',
  'maximumMs',
  'gapMs',
  'chainMs',
  'offsetMs',
  'followsCuts',
  'byteOrderMark',
  'lineEnds',
  'fontSize',
  'mends',
  'omitsFillers',
  'sections',
  'header',
  'coloursSpeakers',
  'linksAudio',
]);

const ofSpeakers: ReadonlySet<string> = new Set(['speakers', 'coloursSpeakers']);

const timesOfPart: ReadonlySet<string> = new Set(['fromMs', 'toMs']);

/** Choices are laid out side by side as long as their labels fit on one line. */
const mostLettersBeside = 24;

const elsewhere: ReadonlySet<string> = new Set(['script', 'second', 'tracks']);

export function ExportForm({ choice }: { readonly choice: ExportChoice }) {
  const t = useText();
  const { script, detail } = useEditor();
  const { cuesFrom } = choice.options;
  const hasSpeakers = useDocument(({ transcript }) => hasSeveralSpeakers(transcript));
  const isRedactedIn = useDocument(({ transcript }) => transcript.segments.some(({ words }) => words.some(isRedacted)));
  const names = Object.keys(choice.specs).filter(
    (name) =>
      !elsewhere.has(name) &&
      !(name === 'splitsAtSentences' && cuesFrom === 'segments') &&
      !(name === 'redactedAudio' && (!isRedactedIn || choice.options['followsCuts'] === false)) &&
      (hasSpeakers || !ofSpeakers.has(name)),
  );
  const isMarked = useDocument(({ transcript }) => isPartlyUnheard(transcript));
  const areWordsCut = useDocument(({ transcript }) => transcript.segments.some(({ words }) => words.some(isCut)));
  const isRare = (name: string) => rare.has(name) && !(name === 'followsCuts' && isMarked);
  const shown = names.filter((name) => !isRare(name));
  const hidden = names.filter(isRare);
  const isOurs = choice.source === 'studio';
  const row = (name: string) => (
    <Fragment key={name}>
      <Option name={name} choice={choice} />
      {name === 'linesPerCue' && choice.format === 'lrc' && <p className={css['note']}>{t('exports.linesJoined')}</p>}
      {name === 'followsCuts' && areWordsCut && choice.options[name] !== true && (
        <p className={css['note']}>{t('exports.withCutsNote')}</p>
      )}
      {name === 'speakers' && <UnnamedNote choice={choice} />}
    </Fragment>
  );
  if (isCutFormat(choice.format))
    return (
      <div className={css['form']}>
        <CutPart key={choice.format} choice={choice} />
        {names
          .filter((name) => !timesOfPart.has(name))
          .map((name) => (
            <Option key={name} name={name} choice={choice} />
          ))}
      </div>
    );
  return (
    <div className={css['form']}>
      {serviceFormats.has(choice.format) && detail.isAtService && (
        <Segmented
          label={t('exports.writtenBy')}
          isLabelShown
          isBlock
          size="sm"
          options={(['studio', 'service'] as const).map((value) => ({ value, text: t(`exports.sources.${value}`) }))}
          value={choice.source}
          onChange={choice.chooseSource}
        />
      )}
      {!isOurs && <p className={css['note']}>{t('exports.serviceNote')}</p>}
      {!isOurs && isMarked && <LineAlert icon={TriangleAlert}>{t('exports.serviceWarning')}</LineAlert>}
      {isOurs && 'charactersPerLine' in choice.specs && <ProfileOption choice={choice} />}
      {isOurs && shown.map(row)}
      {isOurs && script !== null && (
        <Switch
          label={t(`exports.letters.${otherScript(script)}`)}
          isOn={choice.isOther}
          onChange={(isOther) => choice.change({ script: isOther ? otherScript(script) : 'as-written' })}
        />
      )}
      {isOurs && hidden.length > 0 && (
        <details
          className={css['more']}
          onToggle={({ currentTarget }) => {
            // Otherwise what has opened would be below the visible part.
            if (currentTarget.open) currentTarget.scrollIntoView({ block: 'start' });
          }}
        >
          <summary>
            <ChevronDown aria-hidden size={14} strokeWidth={1.75} />
            {t('exports.more')}
          </summary>
          <div className={css['form']}>
            {'second' in choice.specs && <SecondOption choice={choice} />}
            {hidden.map(row)}
          </div>
        </details>
      )}
    </div>
  );
}

/** A file is read by those who understand its text, so the label of a speaker without a name is in that language. */
function UnnamedNote({ choice }: { readonly choice: ExportChoice }) {
  const t = useText();
  const wordsIn = useWordsIn();
  const speakers = useDocument(({ transcript }) => transcript.speakers);
  const number = speakers.findIndex(({ name }) => name === null) + 1;
  const label = wordsIn(choice.lang)('common.speaker', { number });
  const naming = choice.options['speakers'];
  const areAllNamed = naming !== 'none' && readNaming(naming)?.whose !== 'named' && speakers.length > 1;
  if (!areAllNamed || number === 0 || label === t('common.speaker', { number })) return null;
  return (
    <p className={css['note']}>
      <span>
        {t('exports.unnamed')} <span lang={choice.lang}>{label}</span>
      </span>
    </p>
  );
}

interface OptionProps {
  readonly name: string;
  readonly choice: ExportChoice;
}

function Option({ name, choice }: OptionProps) {
  const t = useText();
  const spec = choice.specs[name] as OptionSpec;
  const value = choice.options[name];
  const label = t(`exports.options.${name}` as 'exports.options.speakers');
  const change = (changed: OptionValue) => choice.change({ [name]: changed });
  if (spec.kind === 'switch')
    return (
      <Switch
        label={label}
        {...(name === 'followsCuts' && { hint: t('exports.withoutCutsHint') })}
        isOn={value === true}
        onChange={change}
      />
    );
  if (spec.kind === 'number')
    return (
      <NumberOption
        name={name}
        spec={spec}
        options={choice.options}
        onChange={(changed) => choice.change({ [storedName(name, choice.facts)]: changed })}
      />
    );
  if (spec.kind === 'second') return null;
  if (spec.kind !== 'choice') return <TimeOption label={label} spec={spec} value={Number(value)} onChange={change} />;
  if (namings.every((naming) => spec.values.includes(naming)))
    return <NamingOption label={label} values={spec.values} value={String(value)} onChange={change} />;
  const options = spec.values.map((id) => ({
    value: id,
    text:
      name === 'frameRate'
        ? id.replace('-drop', ' DF')
        : t(`exports.values.${name}.${id}` as 'exports.values.speakers.none'),
  }));
  return <Choice label={label} options={options} value={String(value)} onChange={change} />;
}

interface ChoiceProps {
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly text: string }[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const Choice = (props: ChoiceProps) =>
  props.options.length <= 4 && props.options.reduce((sum, { text }) => sum + text.length, 0) <= mostLettersBeside ? (
    <Segmented isLabelShown isBlock size="sm" {...props} />
  ) : (
    <Select {...props} />
  );

function NamingOption({
  label,
  values,
  value,
  onChange,
}: Omit<ChoiceProps, 'options'> & { readonly values: readonly string[] }) {
  const t = useText();
  const naming = readNaming(value);
  const textOf = (id: string) => t(`exports.values.speakers.${id}` as 'exports.values.speakers.none');
  const others = values.filter((id) => id !== 'none' && readNaming(id) === null);
  const write = (whose: string, when = 'change') =>
    onChange(whose === 'named' ? `named-${when}` : whose === 'all' ? when : whose);
  return (
    <>
      <Choice
        label={label}
        options={['none', 'named', 'all', ...others].map((id) => ({ value: id, text: textOf(id) }))}
        value={naming?.whose ?? value}
        onChange={(whose) => write(whose, naming?.when)}
      />
      {naming !== null && (
        <Choice
          label={t('exports.options.namesWhen')}
          options={(['first', 'change', 'every'] as const).map((id) => ({ value: id, text: textOf(id) }))}
          value={naming.when}
          onChange={(when) => write(naming.whose, when)}
        />
      )}
    </>
  );
}

function SecondOption({ choice }: { readonly choice: ExportChoice }) {
  const t = useText();
  const formats = useFormats();
  const nowMs = useNow(false);
  const studio = useStudio();
  const { detail, script } = useEditor();
  const { data } = useQuery({
    queryKey: ['transcripts-beside', detail.id],
    queryFn: () => valueOrThrow(studio.request('transcripts.list', {})),
    gcTime: 0,
    retry: false,
  });
  const others = (data?.transcripts ?? [])
    .filter(({ id }) => id !== detail.id)
    .toSorted((a, b) => Number(b.sourceName === detail.sourceName) - Number(a.sourceName === detail.sourceName))
    .slice(0, mostOffered);
  const notes = tellApart(others, [
    ({ createdAtMs }) => formats.moment(createdAtMs, nowMs),
    ({ language }) => t(`common.languageNames.${language}`),
    ({ sourceName }) => sourceName,
  ]);
  const value = String(choice.options['second'] ?? '');
  const options = [
    { value: '', text: t('exports.second.none') },
    ...(script === null
      ? []
      : [{ value: 'letters', text: t(`exports.letters.${choice.isOther ? script : otherScript(script)}`) }]),
    ...others.map(({ id, title }) => ({ value: id, text: [title, notes.get(id) ?? []].flat().join(' · ') })),
  ];
  if (options.length === 1) return null;
  const isKnown = options.some((option) => option.value === value);
  const chosen = others.find(({ id }) => id === value);
  const isOfOther = chosen !== undefined && chosen.sourceName !== detail.sourceName;
  return (
    <>
      <Select
        label={t('exports.options.second')}
        options={options}
        value={isKnown ? value : ''}
        onChange={(second) => choice.change({ second })}
      />
      {isOfOther && <LineAlert icon={TriangleAlert}>{t('exports.second.other')}</LineAlert>}
      {isKnown && value !== '' && (
        <Segmented
          label={t('exports.options.tracks')}
          isLabelShown
          isBlock
          size="sm"
          options={(['both', 'second'] as const).map((id) => ({ value: id, text: t(`exports.values.tracks.${id}`) }))}
          value={choice.options['tracks'] === 'second' ? 'second' : 'both'}
          onChange={(tracks) => choice.change({ tracks })}
        />
      )}
    </>
  );
}

interface TimeOptionProps {
  readonly label: string;
  readonly spec: Extract<OptionSpec, { kind: 'number' | 'time' }>;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

export function TimeOption({ label, spec, value, onChange }: TimeOptionProps) {
  const { decimalSign } = useFormats();
  const written = (timeMs: number) => (timeMs % 1000 === 0 ? clockTime(timeMs) : subtitleTime(timeMs, decimalSign));
  return <TimeField label={label} valueMs={value} mostMs={spec.max} written={written} onChange={onChange} />;
}

function CutPart({ choice }: { readonly choice: ExportChoice }) {
  const t = useText();
  const { selected } = choice;
  const durationMs = useDocument(({ transcript }) => transcript.durationMs);
  const isEstimated = useDocument(({ transcript }) =>
    transcript.segments.some(({ words }) => words.some((word) => word.mark !== undefined && word.isEstimated === true)),
  );
  const isVideo = isVideoFormat(choice.format);
  const fromMs = Number(choice.options['fromMs'] ?? 0);
  const toMs = Number(choice.options['toMs'] ?? 0);
  const isSelected = selected !== null && fromMs === selected.startMs && toMs === selected.endMs;
  const part = isSelected ? 'selection' : fromMs === 0 && toMs === 0 ? 'kept' : 'times';
  const spec = { kind: 'time', min: 0, max: 86_400_000, step: 1, initial: 0 } as const;
  return (
    <>
      {selected !== null && (
        <Segmented
          label={t('exports.audioPart')}
          isLabelShown
          isBlock
          size="sm"
          options={(['kept', 'selection'] as const).map((value) => ({ value, text: t(`exports.audioParts.${value}`) }))}
          value={part === 'selection' ? 'selection' : 'kept'}
          onChange={(value) =>
            choice.change(
              value === 'kept' ? { fromMs: 0, toMs: 0 } : { fromMs: selected.startMs, toMs: selected.endMs },
            )
          }
        />
      )}
      <TimeOption
        label={t('exports.options.fromMs')}
        spec={spec}
        value={fromMs}
        onChange={(value) => choice.change({ fromMs: value })}
      />
      <TimeOption
        label={t('exports.options.toMs')}
        spec={spec}
        value={toMs === 0 ? durationMs : toMs}
        onChange={(value) => choice.change({ toMs: value >= durationMs ? 0 : value })}
      />
      <p className={css['note']}>{t(isVideo ? 'exports.videoNote' : 'exports.audioNote')}</p>
      {isVideo && choice.video?.losesTracks === true && <p className={css['note']}>{t('exports.videoTracks')}</p>}
      {isEstimated && <p className={css['note']}>{t('exports.audioEstimated')}</p>}
    </>
  );
}
