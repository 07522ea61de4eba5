import { LIMITS } from '../../../contract/limits.ts';
import { SAMPLE_TAG } from '../../../contract/samples.ts';
import { PARTITIONS } from '../../../contract/table.ts';
import type { ApiKey } from '../../core/api-keys/rules.ts';
import { CuevaultError } from '../../core/errors.ts';
import { getItem, type Key, putItem, type Table } from '../table.ts';
import type { Write } from '../transactions.ts';
import { updateItem } from '../updates.ts';
import { allPrompts } from './all-prompts.ts';

const ALL: Key = { pk: PARTITIONS.promptCount, sk: 'COUNT' };

const ofKey = (keyId: string): Key => ({ pk: PARTITIONS.apiKeyUse + keyId, sk: 'PROMPTS' });

const tooMany = (sentence: string) => new CuevaultError('too_many_prompts', sentence);

const countIn = async (table: Table, key: Key) => Number((await getItem(table, key))?.prompts ?? 0);

const addTo = (Key: Key, by: 1 | -1) => ({
  Key,
  UpdateExpression: 'ADD prompts :by',
  ExpressionAttributeValues: { ':by': by },
});

/** Counts a prompt that was created. */
export const noteCreated = (table: Table): Promise<void> => updateItem(table, addTo(ALL, 1));

/** Counts all prompts again, and the samples among them. */
export const recountPrompts = async (table: Table): Promise<void> => {
  const counted = { prompts: 0, samples: 0 };
  for await (const { tags } of allPrompts(table)) {
    counted.prompts++;
    counted.samples += Number(tags.includes(SAMPLE_TAG));
  }
  await putItem(table, { ...ALL, ...counted });
};

/** The prompts that were last counted or created since, and the samples that were counted. */
export const lastCount = async (table: Table) => {
  const { prompts = 0, samples = 0 } = (await getItem(table, ALL, 'eventually')) ?? {};
  return { prompts: Number(prompts), samples: Number(samples) };
};

/** An API key that creates prompts. */
export type Creator = Pick<ApiKey, 'keyId' | 'mostPrompts'>;

const mostOf = ({ mostPrompts = LIMITS.promptsOfKey }: Creator) => mostPrompts;

const keyIsFull = (creator: Creator) =>
  tooMany(
    `This API key has created ${mostOf(creator)} prompts that exist, the most that it may. An administrator can delete some of them, or create a key that may create more.`,
  );

/**
 * Checks that there is room for another prompt, and that its creator may create one more. The number of all is counted
 * daily and incremented after each creation, so concurrent creations may exceed the limit.
 */
export const requireRoom = async (table: Table, creator?: Creator): Promise<void> => {
  if ((await countIn(table, ALL)) >= LIMITS.prompts)
    throw tooMany(
      `There are ${LIMITS.prompts} prompts, the most that there can be. Delete prompts that are no longer needed; they are counted again every day.`,
    );
  if (creator !== undefined && (await countIn(table, ofKey(creator.keyId))) >= mostOf(creator))
    throw keyIsFull(creator);
};

/**
 * What a transaction writes so that the number of prompts that each key has created stays exact: `creator` creates a
 * prompt in place of one that the key with the id `earlier` has created, and that is gone.
 */
export const countOfKeys = (creator: Creator | undefined, earlier: string | undefined): Write[] => {
  if (creator?.keyId === earlier) return [];
  const fewer = earlier === undefined ? [] : [{ update: addTo(ofKey(earlier), -1) }];
  if (creator === undefined) return fewer;
  const { ExpressionAttributeValues, ...more } = addTo(ofKey(creator.keyId), 1);
  const values = { ...ExpressionAttributeValues, ':most': mostOf(creator) };
  const ConditionExpression = 'attribute_not_exists(prompts) OR prompts < :most';
  const update = { ...more, ConditionExpression, ExpressionAttributeValues: values };
  return [{ update, onConditionFailed: () => keyIsFull(creator) }, ...fewer];
};
