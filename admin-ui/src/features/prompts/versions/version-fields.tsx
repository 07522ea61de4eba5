import { Stack, Text } from '@mantine/core';
import type { ContentFields } from '../../../../../contract/content/content.ts';
import { visible } from '../../../../../contract/content/visible.ts';
import { isObject, type JsonObject } from '../../../../../contract/fields/patterns.ts';
import { CodeBlock } from '../../../components/code/code-block.tsx';
import { Fact, Facts } from '../../../components/layout/facts.tsx';
import { Framed, Part } from '../../../components/layout/panel.tsx';

const textOf = (value: unknown): string => visible(typeof value === 'string' ? value : JSON.stringify(value));

const FactsOf = ({ values }: { values: JsonObject }) => (
  <Facts>
    {Object.entries(values).map(([name, value]) => (
      <Fact key={name} name={visible(name)}>
        {textOf(value)}
      </Fact>
    ))}
  </Facts>
);

/** The fields of an object that a schema describes; a schema of anything else as it is. */
const Schema = ({ schema, label }: { schema: JsonObject; label: string }) => {
  const { properties, required } = schema;
  if (!isObject(properties)) return <CodeBlock text={textOf(schema)} label={label} />;
  const needed = Array.isArray(required) ? required : [];
  const wordsOf = (name: string, field: unknown) => {
    const { type, description, ...others } = isObject(field) ? field : {};
    const further = Object.keys(others).length > 0 && others;
    return [type, needed.includes(name) && 'required', description, further]
      .filter(Boolean)
      .map(textOf)
      .join(', ');
  };
  return (
    <FactsOf
      values={Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [name, wordsOf(name, field)]),
      )}
    />
  );
};

/** What applications pass to the model besides the text, and the metadata. */
export const VersionFields = ({ model, config, output, tools, includes, metaProperties }: ContentFields) => (
  <>
    {(model || config || includes) && (
      <Part title="Model">
        <FactsOf
          values={{
            ...(model && { Model: model }),
            ...config,
            ...(includes && { Fragments: includes.join(', ') }),
          }}
        />
      </Part>
    )}
    {output?.schema && (
      <Part title="Output">
        <Schema schema={output.schema} label="the output schema" />
      </Part>
    )}
    {tools && (
      <Part title="Tools">
        <Stack gap="xs">
          {tools.map(({ name, description, inputSchema }) => (
            <Framed key={name} p="xs">
              <Text fw={600} className="cv-mono">
                {visible(name)}
              </Text>
              {description && <Text className="cv-break">{visible(description)}</Text>}
              {inputSchema && <Schema schema={inputSchema} label={`the input of ${name}`} />}
            </Framed>
          ))}
        </Stack>
      </Part>
    )}
    {metaProperties && (
      <Part title="Metadata">
        <FactsOf values={metaProperties} />
      </Part>
    )}
  </>
);
