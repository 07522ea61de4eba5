import * as z from 'zod/mini';
import { anyText, arrayOf, newPathLabel, optionalString } from '../fields/common.ts';
import { described, flag, listOf, promptName, strictFields, version } from '../fields/fields.ts';
import { LIMITS } from '../limits.ts';

/** Differences that can break applications. */
export const breakingList = arrayOf(
  z.looseObject({ kind: anyText }),
  'Differences that can break applications, such as `{"kind": "variable-added", "name": "user"}`. `kind` is `type-changed`, `variable-added`, `variable-removed`, `variable-retyped`, `default-removed`, `enum-narrowed`, `placeholder-required`, `tool-added`, `tool-removed` or `tool-changed`.',
);

export const hint = z.optional(
  described(
    anyText,
    'What in the content likely means something else than its author thinks, such as `{{#if x}}`, which is text here.',
  ),
);

const place = (description: string) =>
  described(z.union([version, z.null()], 'must be a version, or null if the label is not set'), description);

const move = strictFields({
  name: promptName,
  label: newPathLabel,
  from: place('Where the label points now; `null` if it is not set. The request fails otherwise.'),
  to: place('Where it is to point; `null` removes it.'),
}).check(z.refine(({ from, to }) => from !== to, 'must have different "from" and "to"'));

const isUnique = (moves: readonly { readonly name: string; readonly label: string }[]) =>
  new Set(moves.map(({ name, label }) => JSON.stringify([name, label]))).size === moves.length;

export const labelMovesBody = strictFields({
  moves: listOf(move, LIMITS.labelMoves, 'The labels to move.', 1).check(
    z.refine(isUnique, 'must contain each label of a prompt once'),
  ),
  dryRun: z.optional(flag('Send `true` to check everything and write nothing.')),
});

/** The reply to a set of label moves. */
export const labelsMoved = {
  moved: flag(
    'Whether the labels were moved; with `dryRun`, whether they would be. `false` if all are already where they are to go.',
  ),
  set: optionalString('Id of the set, which its audit entries name.'),
};
