import { ENVIRONMENT } from '../../contract/functions/environment.ts';

interface Resource {
  Type: string;
  Properties?: Record<string, unknown> & { Environment?: { Variables: Record<string, unknown> } };
  DependsOn?: string | string[];
  UpdatePolicy?: unknown;
}

export interface Template {
  readonly Resources: Record<string, Resource>;
  readonly Outputs?: Record<string, { Value: unknown }>;
}

/** Types that the emulator does not know, or whose functions hang there. Only a real account tests them. */
const UNKNOWN =
  /^(AWS::CodeDeploy::\w+|AWS::Cognito::ManagedLoginBranding|AWS::Events::Archive|AWS::Lambda::EventInvokeConfig|Custom::(CDKBucketDeployment|S3AutoDeleteObjects))$/;

export const GLOBAL_TABLE = 'AWS::DynamoDB::GlobalTable';

// Alarms with metric math and dashboards are unknown, too.
const isLeftOut = (id: string, { Type }: Resource): boolean => UNKNOWN.test(Type) || id === 'Monitoring';

const rewriteResource = (resource: Resource, url: string): void => {
  // Of CodeDeploy.
  delete resource.UpdatePolicy;
  const variables = resource.Properties?.Environment?.Variables;
  // The functions fetch the keys of the user pool from the emulator.
  if (variables?.[ENVIRONMENT.tokenKeys] !== undefined)
    variables[ENVIRONMENT.tokenKeys] = {
      'Fn::Join': ['', [url, '/', { Ref: 'Operators' }, '/.well-known/jwks.json']],
    };
  if (resource.Type !== GLOBAL_TABLE) return;
  // Only tables of the other type, which have one replica, can be imported.
  resource.Type = 'AWS::DynamoDB::Table';
  const { Replicas, ...properties } = resource.Properties ?? {};
  const [{ Region: _, GlobalSecondaryIndexes: __, ...replica }] = Replicas as [Record<string, unknown>];
  resource.Properties = { ...properties, ...replica };
};

/** The template of a release as the emulator can deploy it. `url` is its address. */
export const rewrite = (template: Template, url: string): Template => {
  const { Resources, Outputs } = template;
  for (const [id, resource] of Object.entries(Resources))
    if (isLeftOut(id, resource)) delete Resources[id];
    else rewriteResource(resource, url);
  for (const resource of Object.values(Resources))
    resource.DependsOn = [resource.DependsOn ?? []].flat().filter((id) => Object.hasOwn(Resources, id));
  const [api] = Object.entries(Resources).find(([, { Type }]) => Type === 'AWS::ApiGatewayV2::Api') ?? [];
  // The address that API Gateway assigns leads to AWS.
  if (Outputs?.ApiUrl !== undefined)
    Outputs.ApiUrl.Value = { 'Fn::Join': ['', [`${url}/_aws/execute-api/`, { Ref: api }, '/$default']] };
  return template;
};
