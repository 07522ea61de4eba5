import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { promptsList } from '../../../../contract/endpoints/prompts/prompts-list.ts';
import { SAMPLE_PROMPTS } from '../../../../contract/samples.ts';
import { variablesOf } from '../../../../contract/templates.ts';
import { call } from '../../api/client.ts';
import { useRole, useSession } from '../../api/session-context.tsx';
import { useAction } from '../../api/use-action.ts';
import { CodeBlock } from '../../components/code/code-block.tsx';
import { curlSnippet, secretsCurl } from '../../components/code/snippet-texts.ts';
import { notifyDone } from '../../components/dialogs/notify.tsx';
import { Refusal } from '../../components/dialogs/refusal.tsx';
import { Panel } from '../../components/layout/panel.tsx';
import listed from '../../components/layout/review-panel.module.css';
import { ButtonLink } from '../../components/link.tsx';
import { StepIcon } from '../../components/step-icon.tsx';
import { openNewKey } from '../api-keys/new-key-dialog.tsx';
import classes from './overview.module.css';
import type { Overview } from './overview-queries.ts';
import { makeSamples } from './samples.ts';

/** What is left to do until an application has fetched something. */
export const FirstSteps = ({ totals }: Pick<Overview, 'totals'>) => {
  const hasContent = totals.prompts + totals.secrets > 0;
  return (
    <Panel title="Get started">
      <ol className={listed.list}>
        <Step isDone={hasContent} title="Write a prompt, or import the secrets of a .env file">
          {!hasContent && <Content />}
        </Step>
        <Step isDone={totals.keys > 0} title="Create an API key for your application">
          {totals.keys === 0 && <Key />}
        </Step>
        <Step isDone={false} title="Make the first call">
          {hasContent && (
            <>
              <Text size="sm" mb={4}>
                Set <code>CUEVAULT_API_KEY</code> to the API key, then run this in a shell:
              </Text>
              {totals.prompts > 0 ? <PromptCall /> : <SecretsCall />}
            </>
          )}
          <Text size="sm" c="dimmed">
            These steps disappear once an application has fetched something.
          </Text>
        </Step>
      </ol>
    </Panel>
  );
};

interface StepProps {
  readonly isDone: boolean;
  readonly title: string;
  readonly children: ReactNode;
}

const Step = ({ isDone, title, children }: StepProps) => (
  <li className={classes.step}>
    <StepIcon isDone={isDone} />
    <div className={listed.name}>
      <Text size="sm" fw={600} mb={4}>
        {title}
      </Text>
      {children}
    </div>
  </li>
);

const Content = () => {
  const { can } = useRole();
  const { mutate, isPending, error } = useAction(async () => {
    await makeSamples();
    notifyDone('The samples are added.');
  });
  if (!can('editor')) return <Text size="sm">Editors and administrators can.</Text>;
  return (
    <>
      <Group gap="xs">
        <ButtonLink to="/prompts/new" size="xs">
          Write a prompt
        </ButtonLink>
        <ButtonLink to="/secrets/import" size="xs" variant="default">
          Import a .env file
        </ButtonLink>
        <Button size="xs" variant="default" onClick={() => mutate()} loading={isPending}>
          Add the samples
        </Button>
      </Group>
      <Refusal error={error} />
    </>
  );
};

const Key = () => {
  const { can } = useRole();
  return can('admin') ? (
    <Button size="xs" onClick={() => openNewKey()}>
      Create an API key
    </Button>
  ) : (
    <Text size="sm">Administrators can.</Text>
  );
};

const PromptCall = () => {
  const { config } = useSession();
  const first = useQuery({
    queryKey: ['prompts', 'first'],
    queryFn: async ({ signal }) => (await call(promptsList, { query: { limit: 1 }, signal })).prompts[0],
  });
  const name = first.data?.name ?? SAMPLE_PROMPTS[0].name;
  const template = SAMPLE_PROMPTS.find((sample) => sample.name === name)?.versions.at(-1)?.prompt ?? '';
  const text = curlSnippet({
    apiUrl: config.apiUrl,
    name,
    choice: { kind: 'latest' },
    variables: variablesOf(template),
  });
  return <CodeBlock text={text} label="the first call" />;
};

const SecretsCall = () => {
  const { config } = useSession();
  return <CodeBlock text={secretsCurl(config.apiUrl, {})} label="the first call" />;
};
