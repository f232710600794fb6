import { ChevronDown, TriangleAlert } from 'lucide-react';
import { Fragment } from 'react';
import { isAudioFormat } from '../../../../../shared/domain/exports/formats.ts';
import { namings, storedName } from '../../../../../shared/domain/exports/exporter.ts';
import type { OptionSpec, OptionValue } from '../../../../../shared/domain/exports/options.ts';
import { readNaming } from '../../../../../shared/domain/exports/subtitles.ts';
import { isPartlyUnheard } from '../../../../../shared/domain/transcript/unheard-spans.ts';
import { isCut } from '../../../../../shared/domain/transcript/word-mark.ts';
import { useText, useWordsIn } from '../../../../lib/text.ts';
import { NumberOption } from '../../../../parts/exports/number-option.tsx';
import { ProfileOption } from '../../../../parts/exports/profile-option.tsx';
import { Segmented } from '../../../../ui/segmented.tsx';
import { Select } from '../../../../ui/select.tsx';
import { Switch } from '../../../../ui/switch.tsx';
import { useDocument, useEditor } from '../../editor-context.ts';
import { langOf } from '../../model/script-choice.ts';
import { AudioPart } from './audio-part.tsx';
import { LineAlert } from '../../../../ui/line-alert.tsx';
import css from './export-form.module.css';
import { SecondOption } from './second-option.tsx';
import { TimeOption } from './time-option.tsx';
import { serviceFormats, type ExportChoice } from './use-export-choice.ts';

/** Rarely changed options; their section is collapsed at first. Times without cuts stand out where there are cuts. */
const rare: ReadonlySet<string> = new Set([
  'minimumMs',
  'maximumMs',
  'gapMs',
  'chainMs',
  'offsetMs',
  'followsCuts',
  'byteOrderMark',
  'lineEnds',
  'fontSize',
]);

/** Options that belong together, such as those of the part of the recording. */
const timesOfPart: ReadonlySet<string> = new Set(['fromMs', 'toMs']);

/** Choices are laid out side by side as long as their labels fit on one line. */
const mostLettersBeside = 24;

/** Options that have their own controls in the form. */
const elsewhere: ReadonlySet<string> = new Set(['script', 'second', 'tracks']);

/** Builds the controls of a format from the options it declares. */
export function ExportForm({ choice }: { readonly choice: ExportChoice }) {
  const t = useText();
  const { scriptChoice, detail } = useEditor();
  const { cuesFrom } = choice.options;
  const names = Object.keys(choice.specs).filter(
    (name) => !elsewhere.has(name) && !(name === 'splitsAtSentences' && cuesFrom === 'segments'),
  );
  const isMarked = useDocument(({ transcript }) => isPartlyUnheard(transcript));
  const areWordsCut = useDocument(({ transcript }) => transcript.segments.some(({ words }) => words.some(isCut)));
  const isRare = (name: string) => rare.has(name) && !(name === 'followsCuts' && isMarked);
  const shown = names.filter((name) => !isRare(name));
  const hidden = names.filter(isRare);
  const isOurs = choice.source === 'studio';
  if (isAudioFormat(choice.format))
    return (
      <div className={css['form']}>
        <AudioPart key={choice.format} choice={choice} />
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
      {isOurs &&
        shown.map((name) => (
          <Fragment key={name}>
            <Option name={name} choice={choice} />
            {name === 'cuesFrom' && (
              <p className={css['note']}>
                {t(`exports.cuesFromNotes.${cuesFrom === 'segments' ? 'segments' : 'sentences'}`)}
              </p>
            )}
            {name === 'linesPerCue' && choice.format === 'lrc' && (
              <p className={css['note']}>{t('exports.linesJoined')}</p>
            )}
            {name === 'followsCuts' && areWordsCut && choice.options[name] !== true && (
              <p className={css['note']}>{t('exports.withCutsNote')}</p>
            )}
            {name === 'speakers' && <UnnamedNote choice={choice} />}
          </Fragment>
        ))}
      {isOurs && scriptChoice !== null && (
        <Switch
          label={t(`exports.letters.${scriptChoice.other}`)}
          isOn={choice.isOther}
          onChange={choice.chooseOther}
        />
      )}
      {isOurs && 'second' in choice.specs && <SecondOption choice={choice} />}
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
            {hidden.map((name) => (
              <Option key={name} name={name} choice={choice} />
            ))}
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
  const { detail, scriptChoice } = useEditor();
  const speakers = useDocument(({ transcript }) => transcript.speakers);
  const number = speakers.findIndex(({ name }) => name === null) + 1;
  const language = langOf(detail.transcript, scriptChoice, choice.isOther);
  const label = wordsIn(language)('common.speaker', { number });
  const naming = choice.options['speakers'];
  const areAllNamed = naming !== 'none' && readNaming(naming)?.whose !== 'named' && speakers.length > 1;
  if (!areAllNamed || number === 0 || label === t('common.speaker', { number })) return null;
  return (
    <p className={css['note']}>
      <span>
        {t('exports.unnamed')} <span lang={language}>{label}</span>
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
  const change = (changed: OptionValue) => {
    choice.change({ [name]: changed });
  };
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
        onChange={(changed) => {
          choice.change({ [storedName(name, choice.facts)]: changed });
        }}
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

/** Whose names captions have, and when: two questions of one option. */
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
  const write = (whose: string, when = 'change') => {
    onChange(whose === 'named' ? `named-${when}` : whose === 'all' ? when : whose);
  };
  return (
    <>
      <Choice
        label={label}
        options={['none', 'named', 'all', ...others].map((id) => ({ value: id, text: textOf(id) }))}
        value={naming?.whose ?? value}
        onChange={(whose) => {
          write(whose, naming?.when);
        }}
      />
      {naming !== null && (
        <Choice
          label={t('exports.options.namesWhen')}
          options={(['first', 'change', 'every'] as const).map((id) => ({ value: id, text: textOf(id) }))}
          value={naming.when}
          onChange={(when) => {
            write(naming.whose, when);
          }}
        />
      )}
    </>
  );
}
