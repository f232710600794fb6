type Fields = Readonly<Record<string, unknown>>;

/**
 * Version 1 had no number. It always kept a log, followed the system's motion and set transcripts at 17 px; from
 * version 2 on these are a person's choice, so what held until now is written down as chosen.
 */
const toVersion2 = (fields: Fields): Fields => ({
  keepsLog: true,
  reducesMotion: false,
  transcriptSize: 17,
  ...fields,
});

/** The step at index n makes version n + 2 of version n + 1. A step that was released is never changed. */
const steps: readonly ((fields: Fields) => Fields)[] = [toVersion2];

/** The version that this app writes. */
export const settingsVersion = steps.length + 1;

export interface MigratedSettings {
  readonly fields: Fields;
  /** What to write into the file: never lower than what was found, so that a newer app knows its own file again. */
  readonly version: number;
  readonly isLegacy: boolean;
  /** The number itself was not one; the fields are read as they are. */
  readonly isDamaged: boolean;
}

/** Brings the fields of a settings file to the version of this app; those of a newer app are left as they are. */
export function migrateSettings(found: Fields): MigratedSettings {
  const { version: number = 1, ...fields } = found;
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 1) {
    return { fields, version: settingsVersion, isLegacy: false, isDamaged: true };
  }
  return {
    fields: steps.slice(number - 1).reduce((older, step) => step(older), fields as Fields),
    version: Math.max(number, settingsVersion),
    isLegacy: number < settingsVersion,
    isDamaged: false,
  };
}
