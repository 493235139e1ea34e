// The calls of the clients of AWS.
import { CloudTrailClient, paginateLookupEvents } from '@aws-sdk/client-cloudtrail';
import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { ConfigServiceClient, paginateSelectResourceConfig } from '@aws-sdk/client-config-service';
import { EC2Client, paginateDescribeFlowLogs } from '@aws-sdk/client-ec2';
import {
  GetFindingsCommand as GetThreatsCommand,
  GuardDutyClient,
  ListDetectorsCommand,
  ListFindingsCommand,
} from '@aws-sdk/client-guardduty';
import {
  IAMClient,
  paginateGetAccountAuthorizationDetails,
  paginateGetGroup,
  paginateListGroups,
  paginateListUsers,
} from '@aws-sdk/client-iam';
import {
  BatchGetFindingDetailsCommand,
  Inspector2Client,
  paginateListCoverage,
  paginateListFindings,
} from '@aws-sdk/client-inspector2';
import { GetFindingsCommand, SecurityHubClient } from '@aws-sdk/client-securityhub';
import { all } from './pages.mjs';

export const optionsOf = (endpoint, { accessKeyId, secretAccessKey }) => ({
  endpoint,
  region: 'eu-west-1',
  credentials: { accessKeyId, secretAccessKey },
});

export const awsCalls = {
  async cloudsecurity_aws_mock({ url, credentials: { aws } }) {
    const options = optionsOf(url, aws);
    const hub = new SecurityHubClient(options);
    const findings = [];
    let NextToken;
    do {
      const page = await hub.send(new GetFindingsCommand({ MaxResults: 3, NextToken }));
      findings.push(...page.Findings);
      ({ NextToken } = page);
    } while (NextToken);
    const guard = new GuardDutyClient(options);
    const { DetectorIds } = await guard.send(new ListDetectorsCommand({}));
    const threats = [];
    for (const DetectorId of DetectorIds) {
      const { FindingIds } = await guard.send(new ListFindingsCommand({ DetectorId }));
      const { Findings } = await guard.send(new GetThreatsCommand({ DetectorId, FindingIds }));
      threats.push(...Findings);
    }
    const config = new ConfigServiceClient(options);
    const resources = await all(
      paginateSelectResourceConfig(
        { client: config, pageSize: 5 },
        { Expression: 'SELECT arn, resourceId, resourceType' },
      ),
      ({ Results }) => Results,
    );
    const trail = new CloudTrailClient(options);
    const trails = await all(
      paginateLookupEvents({ client: trail, pageSize: 3 }, {}),
      ({ Events }) => Events,
    );
    return [
      {
        operation: 'cloudsecurity_query_ioms',
        read: findings
          .filter(({ Compliance }) => Compliance?.Status === 'FAILED')
          .map(({ Title }) => [Title]),
      },
      { operation: 'cloudsecurity_query_threats', read: threats.map(({ Title }) => [Title]) },
      {
        operation: 'cloudsecurity_query_cloud_resource_inventory',
        read: resources.map((one) => [JSON.parse(one).arn]),
      },
      {
        operation: 'cloudsecurity_query_events',
        read: trails.map(({ EventId, EventName }) => [EventId, EventName]),
      },
    ];
  },

  async vulnerabilities_amazon_inspector_mock({ url, credentials: { aws } }) {
    const client = new Inspector2Client(optionsOf(url, aws));
    const findings = await all(
      paginateListFindings(
        { client, pageSize: 20 },
        {
          filterCriteria: {
            findingType: [{ comparison: 'NOT_EQUALS', value: 'CODE_VULNERABILITY' }],
            updatedAt: [{ startInclusive: new Date(0) }],
          },
        },
      ),
      (page) => page.findings,
    );
    const resources = await all(
      paginateListCoverage(
        { client, pageSize: 3 },
        {
          filterCriteria: {
            scanType: [{ comparison: 'EQUALS', value: 'PACKAGE' }],
            resourceType: [
              'AWS_EC2_INSTANCE',
              'AWS_ECR_CONTAINER_IMAGE',
              'AWS_LAMBDA_FUNCTION',
            ].map((value) => ({ comparison: 'EQUALS', value })),
          },
        },
      ),
      ({ coveredResources }) => coveredResources,
    );
    return [
      {
        operation: 'vulnerabilities_query_findings',
        read: findings.map(({ findingArn, title }) => [findingArn, title]),
      },
      {
        operation: 'vulnerabilities_query_assets',
        read: resources.map(({ resourceId }) => [resourceId]),
      },
    ];
  },

  async appsec_amazon_inspector_mock({ url, credentials: { aws } }) {
    const client = new Inspector2Client(optionsOf(url, aws));
    const resourceType = ['AWS_ECR_CONTAINER_IMAGE', 'AWS_LAMBDA_FUNCTION', 'CODE_REPOSITORY'].map(
      (value) => ({ comparison: 'EQUALS', value }),
    );
    const findings = await all(
      paginateListFindings({ client, pageSize: 5 }, { filterCriteria: { resourceType } }),
      (page) => page.findings,
    );
    const known = findings.find(({ type }) => type === 'PACKAGE_VULNERABILITY');
    const { findingDetails } = await client.send(
      new BatchGetFindingDetailsCommand({ findingArns: [known.findingArn] }),
    );
    return [
      { operation: 'appsec_query_findings', read: findings.map((one) => [one.findingArn]) },
      {
        operation: 'appsec_get_application_finding_details',
        path: { applicationId: known.resources[0].id, findingId: known.findingArn },
        read: findingDetails.map(({ findingArn, cwes }) => [findingArn, ...cwes]),
      },
    ];
  },

  async identity_aws_iam_mock({ url, credentials: { aws } }) {
    const client = new IAMClient(optionsOf(url, aws));
    const users = await all(paginateListUsers({ client, pageSize: 7 }, {}), ({ Users }) => Users);
    const groups = await all(
      paginateListGroups({ client, pageSize: 2 }, {}),
      ({ Groups }) => Groups,
    );
    const [{ GroupName }] = groups;
    const members = await all(
      paginateGetGroup({ client, pageSize: 3 }, { GroupName }),
      ({ Users }) => Users,
    );
    const details = await all(
      paginateGetAccountAuthorizationDetails({ client, pageSize: 9 }, { Filter: ['User'] }),
      ({ UserDetailList }) => UserDetailList,
    );
    return [
      {
        operation: 'identity_query_users',
        read: users.map((one) => [one.UserName, one.UserId, one.Arn]),
      },
      {
        operation: 'identity_query_groups',
        read: groups.map((one) => [one.GroupName, one.GroupId, one.Arn]),
      },
      {
        operation: 'identity_get_group_members',
        path: { groupId: GroupName },
        read: members.map((one) => [one.UserName, one.UserId]),
      },
      {
        operation: 'identity_query_users',
        read: details.map(({ UserName, GroupList, AttachedManagedPolicies }) => [
          UserName,
          ...GroupList,
          ...AttachedManagedPolicies.map(({ PolicyArn }) => PolicyArn),
        ]),
      },
    ];
  },

  async networksecurity_aws_mock({ url, credentials: { aws } }) {
    const options = optionsOf(url, aws);
    const ec2 = new EC2Client(options);
    const flowLogs = await all(
      paginateDescribeFlowLogs({ client: ec2, pageSize: 5 }, {}),
      ({ FlowLogs }) => FlowLogs,
    );
    const logs = new CloudWatchLogsClient(options);
    const events = [];
    let nextToken;
    do {
      const command = new FilterLogEventsCommand({
        logGroupName: '/vpc/vpc',
        limit: 20,
        nextToken,
      });
      const page = await logs.send(command);
      events.push(...page.events);
      ({ nextToken } = page);
    } while (nextToken);
    return [
      {
        operation: 'networksecurity_query_traffic_log_configurations',
        read: flowLogs.map(({ FlowLogId, ResourceId }) => [FlowLogId, ResourceId]),
      },
      {
        operation: 'networksecurity_query_traffic_events',
        filter: 'metadata.log_name[eq]/vpc/vpc',
        // Lines without traffic are not events of ours.
        read: events
          .filter(({ message }) => !message.endsWith('NODATA'))
          // Addresses and ports, because ids follow from the time.
          .map(({ message }) => message.split(' ').slice(3, 7)),
      },
    ];
  },
};
