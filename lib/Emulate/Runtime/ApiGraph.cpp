// Graphs, out of nodes or of a stream's captured work. Nodes that do not depend on each other run
// in an order that the seed shuffles, so that a missing dependency is found out.

#include "ApiError.h"

#include <algorithm>
#include <list>
#include <map>
#include <memory>
#include <mutex>

namespace {

struct Graph;

struct Node {
  Graph *Of = nullptr;
  std::function<void()> Job;
  std::vector<Node *> After;
};
struct Graph {
  std::list<Node> Nodes;
};
struct Executable {
  std::vector<std::pair<Node *, std::function<void()>>> Steps;
};

struct State {
  std::mutex Lock;
  std::map<void *, std::unique_ptr<Graph>> Graphs;
  std::map<void *, std::unique_ptr<Executable>> Executables;
};

State &state() {
  static auto *S = new State;
  return *S;
}

Graph *graphOf(cudaGraph_t G) {
  const auto Known = state().Graphs.find(G);
  return Known == state().Graphs.end() ? nullptr : Known->second.get();
}
Executable *executableOf(cudaGraphExec_t X) {
  const auto Known = state().Executables.find(X);
  return Known == state().Executables.end() ? nullptr : Known->second.get();
}
Node *nodeOf(cudaGraphNode_t N) {
  for (auto &[Handle, G] : state().Graphs)
    for (Node &Own : G->Nodes)
      if (&Own == reinterpret_cast<Node *>(N))
        return &Own;
  return nullptr;
}

/// The nodes, each behind those it depends on, else as chance has it; fewer for a circle.
Executable ordered(Graph &G) {
  Executable Result;
  std::vector<Node *> Left, Done;
  for (Node &N : G.Nodes)
    Left.push_back(&N);
  while (!Left.empty()) {
    std::vector<Node *> Ready;
    for (Node *N : Left)
      if (std::all_of(N->After.begin(), N->After.end(), [&](Node *Before) {
            return std::find(Done.begin(), Done.end(), Before) != Done.end();
          }))
        Ready.push_back(N);
    if (Ready.empty())
      break;
    Node *Next = Ready[cupel::emu::nextRandom() % Ready.size()];
    Result.Steps.push_back({Next, Next->Job});
    Done.push_back(Next);
    std::erase(Left, Next);
  }
  return Result;
}

cudaError_t addNode(cudaGraphNode_t *Out, cudaGraph_t G, const cudaGraphNode_t *After, size_t Count,
                    std::function<void()> Job) {
  State &S = state();
  const std::lock_guard<std::mutex> Guard(S.Lock);
  Graph *Of = graphOf(G);
  if (!Of || !Out)
    return cupel::emu::fail(cudaErrorInvalidValue);
  Node New{Of, std::move(Job), {}};
  for (size_t I = 0; I < Count; ++I) {
    Node *Before = nodeOf(After[I]);
    if (!Before || Before->Of != Of)
      return cupel::emu::fail(cudaErrorInvalidValue);
    New.After.push_back(Before);
  }
  *Out = reinterpret_cast<cudaGraphNode_t>(&Of->Nodes.emplace_back(std::move(New)));
  return cudaSuccess;
}

std::function<void()> jobs(std::vector<std::function<void()>> Work) {
  return [Work = std::move(Work)] {
    for (const auto &Job : Work)
      Job();
  };
}

/// The launch that the parameters describe, with the arguments as they are now.
cudaError_t kernelJob(const cudaKernelNodeParams &P, std::function<void()> &Job) {
  if (!P.kernelParams)
    return cupel::emu::fail(cudaErrorInvalidValue);
  cudaError_t Error = cudaSuccess;
  Job = jobs(cupel::emu::captured([&](void *Stream) {
    Error = cudaLaunchKernel(P.func, P.gridDim, P.blockDim, P.kernelParams, P.sharedMemBytes,
                             static_cast<cudaStream_t>(Stream));
  }));
  return Error;
}

} // namespace

namespace cupel::emu {

cudaGraph_t capturedGraph(std::vector<std::function<void()>> Work) {
  State &S = state();
  const std::lock_guard<std::mutex> Guard(S.Lock);
  auto New = std::make_unique<Graph>();
  for (auto &Job : Work) {
    Node *Last = New->Nodes.empty() ? nullptr : &New->Nodes.back();
    Node &N = New->Nodes.emplace_back(Node{New.get(), std::move(Job), {}});
    if (Last)
      N.After.push_back(Last);
  }
  const auto Handle = reinterpret_cast<cudaGraph_t>(New.get());
  S.Graphs[Handle] = std::move(New);
  return Handle;
}

} // namespace cupel::emu

using namespace cupel::emu;

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t *G, unsigned) {
  *G = capturedGraph({});
  return cudaSuccess;
}
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *N, cudaGraph_t G, const cudaGraphNode_t *After,
                                   size_t Count, const cudaKernelNodeParams *P) {
  std::function<void()> Job;
  const cudaError_t Error = kernelJob(*P, Job);
  return Error ? Error : addNode(N, G, After, Count, std::move(Job));
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *N, cudaGraph_t G,
                                     const cudaGraphNode_t *After, size_t Count, void *To,
                                     const void *From, size_t Size, cudaMemcpyKind Kind) {
  return addNode(N, G, After, Count, [=] { cudaMemcpy(To, From, Size, Kind); });
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *N, cudaGraph_t G, const cudaGraphNode_t *After,
                                   size_t Count, const cudaMemsetParams *P) {
  if (P->elementSize != 1)
    failKernel("not-emulated", "a graph's memset of elements of more than a byte");
  return addNode(N, G, After, Count, [Own = *P] {
    cudaMemset2D(Own.dst, Own.pitch, static_cast<int>(Own.value), Own.width, Own.height);
  });
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *N, cudaGraph_t G, const cudaGraphNode_t *After,
                                 size_t Count, const cudaHostNodeParams *P) {
  return addNode(N, G, After, Count, [Own = *P] { Own.fn(Own.userData); });
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *N, cudaGraph_t G, const cudaGraphNode_t *After,
                                  size_t Count) {
  return addNode(N, G, After, Count, [] {});
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t, const cudaGraphNode_t *From,
                                     const cudaGraphNode_t *To, const cudaGraphEdgeData *,
                                     size_t Count) {
  const std::lock_guard<std::mutex> Guard(state().Lock);
  for (size_t I = 0; I < Count; ++I) {
    Node *Before = nodeOf(From[I]), *Behind = nodeOf(To[I]);
    if (!Before || !Behind)
      return fail(cudaErrorInvalidValue);
    Behind->After.push_back(Before);
  }
  return cudaSuccess;
}
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t N, const cudaKernelNodeParams *P) {
  std::function<void()> Job;
  if (const cudaError_t Error = kernelJob(*P, Job))
    return Error;
  const std::lock_guard<std::mutex> Guard(state().Lock);
  Node *Known = nodeOf(N);
  if (!Known)
    return fail(cudaErrorInvalidValue);
  Known->Job = std::move(Job);
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *X, cudaGraph_t G, unsigned long long) {
  State &S = state();
  const std::lock_guard<std::mutex> Guard(S.Lock);
  Graph *Of = graphOf(G);
  if (!Of)
    return fail(cudaErrorInvalidValue);
  auto New = std::make_unique<Executable>(ordered(*Of));
  if (New->Steps.size() != Of->Nodes.size())
    return fail(cudaErrorInvalidValue);
  *X = reinterpret_cast<cudaGraphExec_t>(New.get());
  S.Executables[*X] = std::move(New);
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *X, cudaGraph_t G, unsigned long long F) {
  return cudaGraphInstantiate(X, G, F);
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t X, cudaGraphNode_t N,
                                             const cudaKernelNodeParams *P) {
  std::function<void()> Job;
  if (const cudaError_t Error = kernelJob(*P, Job))
    return Error;
  const std::lock_guard<std::mutex> Guard(state().Lock);
  Executable *Known = executableOf(X);
  if (Known)
    for (auto &[Of, Old] : Known->Steps)
      if (Of == reinterpret_cast<Node *>(N)) {
        Old = std::move(Job);
        return cudaSuccess;
      }
  return fail(cudaErrorInvalidValue);
}
// The new graph's work instead of the old one's: what the two must have in common is not asked.
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t X, cudaGraph_t G,
                                cudaGraphExecUpdateResultInfo *Info) {
  const std::lock_guard<std::mutex> Guard(state().Lock);
  Executable *Known = executableOf(X);
  Graph *Of = graphOf(G);
  if (!Known || !Of)
    return fail(cudaErrorInvalidValue);
  *Known = ordered(*Of);
  if (Info)
    Info->result = cudaGraphExecUpdateSuccess;
  return cudaSuccess;
}
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaGraphLaunch(cudaGraphExec_t X, cudaStream_t) {
  Executable Work;
  {
    const std::lock_guard<std::mutex> Guard(state().Lock);
    const Executable *Known = executableOf(X);
    if (!Known)
      return fail(cudaErrorInvalidResourceHandle);
    Work = *Known;
  }
  for (const auto &[Of, Job] : Work.Steps) {
    if (const cudaError_t Sticky = sticky())
      return Sticky;
    Job();
  }
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t G) {
  const std::lock_guard<std::mutex> Guard(state().Lock);
  return state().Graphs.erase(G) ? cudaSuccess : fail(cudaErrorInvalidValue);
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t X) {
  const std::lock_guard<std::mutex> Guard(state().Lock);
  return state().Executables.erase(X) ? cudaSuccess : fail(cudaErrorInvalidValue);
}
}
