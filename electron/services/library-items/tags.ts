import { localFailure } from '../../../shared/domain/jobs/job-failures.ts';
import { refKey, type ItemRef } from '../../../shared/domain/library/library-item.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { Filing } from './filing.ts';

/** The tags of a library, and the items that have them. */
export interface Tags {
  /** Adds a tag to items or removes it; E-040 when there is no such tag. */
  tag(refs: readonly ItemRef[], tagId: string, isOn: boolean): Result<null>;
  /** Renames a tag, or creates one when `id` is null or of no tag; returns its id, or that of the existing tag with this name. */
  saveTag(id: string | null, name: string): Result<string>;
  /** Removes a tag from everything and deletes it. */
  removeTag(id: string): Result<null>;
}

const isSameName = (one: string, other: string): boolean =>
  one.localeCompare(other, undefined, { sensitivity: 'accent' }) === 0;

export function createTags(filing: Filing, newId: () => string): Tags {
  const without = (tagged: Record<string, string[]>, tagId: string, keys = Object.keys(tagged)) => {
    const all = { ...tagged };
    for (const key of keys) {
      const left = all[key]?.filter((one) => one !== tagId) ?? [];
      if (left.length === 0) delete all[key];
      else all[key] = left;
    }
    return all;
  };
  return {
    tag(refs, tagId, isOn) {
      const filed = filing.read();
      if (!filed.tags.some(({ id }) => id === tagId)) return err(localFailure('E-040', { code: 'unknown_tag' }));
      const keys = refs.map(refKey);
      const tagged = without(filed.tagged, tagId, keys);
      if (isOn) for (const key of keys) tagged[key] = [...(tagged[key] ?? []), tagId];
      return filing.save({ ...filed, tagged });
    },
    saveTag(id, name) {
      const filed = filing.read();
      const same = filed.tags.find((tag) => isSameName(tag.name, name) && tag.id !== id);
      if (same === undefined) {
        const own = id ?? newId();
        const tags = filed.tags.some((tag) => tag.id === own)
          ? filed.tags.map((tag) => (tag.id === own ? { id: own, name } : tag))
          : [...filed.tags, { id: own, name }];
        const saved = filing.save({ ...filed, tags });
        return saved.ok ? ok(own) : saved;
      }
      if (id === null) return ok(same.id);
      // Two tags with one name are one tag.
      const keys = Object.keys(filed.tagged).filter((key) => filed.tagged[key]?.includes(id));
      const tagged = without(filed.tagged, id);
      for (const key of keys) tagged[key] = [...new Set([...(tagged[key] ?? []), same.id])];
      const saved = filing.save({ ...filed, tags: filed.tags.filter((tag) => tag.id !== id), tagged });
      return saved.ok ? ok(same.id) : saved;
    },
    removeTag(id) {
      const filed = filing.read();
      return filing.save({
        ...filed,
        tags: filed.tags.filter((tag) => tag.id !== id),
        tagged: without(filed.tagged, id),
      });
    },
  };
}
