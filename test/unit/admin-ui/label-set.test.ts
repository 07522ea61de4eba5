import {
  isDowngrade,
  type LabelledPrompt,
  type LabelMove,
  movesOf,
} from '../../../admin-ui/src/features/prompts/label-set/label-set.ts';

const prompt = (name: string, latest: string, labels: Readonly<Record<string, string>>): LabelledPrompt => ({
  promptId: `prm_${name}`,
  name,
  latest,
  labels: Object.entries(labels).map(([label, version]) => ({ label, version })),
});

const PROMPTS = [
  prompt('reply', '1.2.0', { staging: '1.1.0', production: '1.0.0' }),
  prompt('new', '1.0.0', { staging: '1.0.0' }),
  prompt('equal', '2.0.0', { staging: '1.0.0', production: '1.0.0' }),
  prompt('unlabelled', '1.0.0', {}),
];

const RULE = { source: 'staging', target: 'production' };
const briefly = (moves: readonly LabelMove[]) => moves.map(({ name, from, to }) => [name, from, to]);

test('a set moves the target where it serves another version than the source, and only where there is a source', () => {
  expect(briefly(movesOf(PROMPTS, RULE))).toEqual([
    ['reply', '1.0.0', '1.1.0'],
    ['new', null, '1.0.0'],
  ]);
  expect(briefly(movesOf(PROMPTS, { source: 'latest', target: 'production' }))).toEqual([
    ['reply', '1.0.0', '1.2.0'],
    ['new', null, '1.0.0'],
    ['equal', '1.0.0', '2.0.0'],
    ['unlabelled', null, '1.0.0'],
  ]);
});

test('a move to a lower version is told apart from a move up and a new label', () => {
  const moves = movesOf(
    [...PROMPTS, prompt('back', '2.0.0', { staging: '1.9.0', production: '1.10.0' })],
    RULE,
  );
  expect(moves.filter(isDowngrade).map(({ name }) => name)).toEqual(['back']);
});
