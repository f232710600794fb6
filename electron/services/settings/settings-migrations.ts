type Fields = Readonly<Record<string, unknown>>;

/**
 * Version 1 had no number. It always kept a log, followed the system's motion setting and showed transcripts at 17 px;
 * since version 2 these are choices of the user, so the old values are stored as chosen.
 */
const toVersion2 = (fields: Fields): Fields => ({
  keepsLog: true,
  reducesMotion: false,
  transcriptSize: 17,
  ...fields,
});

/** The step at index n migrates version n + 1 to version n + 2. A released step never changes. */
const steps: readonly ((fields: Fields) => Fields)[] = [toVersion2];

/** The version that this app writes. */
export const settingsVersion = steps.length + 1;

export interface MigratedSettings {
  readonly fields: Fields;
  /**
   * The version to write into the file: never lower than the one found, so that a newer app recognises its own file.
   */
  readonly version: number;
  readonly isLegacy: boolean;
  /** The version was not a number; the fields are read as they are. */
  readonly isDamaged: boolean;
}

/** Migrates the fields of a settings file to the version of this app; those of a newer app are left as they are. */
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
