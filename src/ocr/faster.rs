//! Rewrites of the recognition graph that preserve its results and save time (6 to 11% where runs were comparable).
//!
//! PaddleOCR's graphs come out of an exporter that writes every step on its own, and the inference library
//! fuses only what it knows:
//! - `Conv, * a, + b` is a convolution with other weights; `* a, + b, Conv` likewise
//!   ([`rewrite_convolutions`]).
//! - `+ 3, clip 0..6, * x, / 6` is the operator `HardSwish` ([`use_hard_swish`]).
//! - The library computes depthwise convolutions one number at a time, and they take more than half of the
//!   time. The pictures are 48 pixels high, so the height is known at every layer, and such a convolution is
//!   the same as a grouped one whose channels are the rows ([`over_rows`]): more multiplications, but work for
//!   the vectorised matrix product.
//!
//! A test in [`super::models`] compares the outputs with those of the untouched graph.

use std::collections::HashMap;

use super::convolution::{Affine, Conv, op, over_rows, plain};
use super::error::OcrError;
use super::graph::floats_of;
use super::onnx::{Graph, Node, Tensor};

/// Applies all rewrites to a graph whose input is `height` pixels high.
pub fn speed_up(graph: &mut Graph, height: usize) -> Result<(), OcrError> {
    use_hard_swish(graph);
    let heights = heights(graph, height);
    rewrite_convolutions(graph, &heights)
}

/// Constants by name, and the nodes that read each value.
struct Index {
    constants: HashMap<String, Tensor>,
    readers: HashMap<String, Vec<usize>>,
    writer: HashMap<String, usize>,
}

impl Index {
    fn of(graph: &Graph) -> Self {
        let mut constants = HashMap::new();
        let mut readers: HashMap<String, Vec<usize>> = HashMap::new();
        let mut writer = HashMap::new();
        for (i, node) in graph.node.iter().enumerate() {
            if let (Some("Constant"), Some(tensor)) =
                (node.op_type.as_deref(), node.attribute.iter().find_map(|a| a.t.as_ref()))
            {
                constants.insert(node.output[0].clone(), tensor.clone());
            }
            for name in &node.input {
                readers.entry(name.clone()).or_default().push(i);
            }
            for name in &node.output {
                writer.insert(name.clone(), i);
            }
        }
        Self { constants, readers, writer }
    }

    fn scalar(&self, name: &str) -> Option<f32> {
        match floats_of(self.constants.get(name)?)?.as_slice() {
            [value] => Some(*value),
            _ => None,
        }
    }

    /// The node that alone reads `name`, if it is of this kind.
    fn only_reader<'a>(&self, graph: &'a Graph, name: &str, op: &str) -> Option<(usize, &'a Node)> {
        match self.readers.get(name)?.as_slice() {
            [i] if is(&graph.node[*i], op) => Some((*i, &graph.node[*i])),
            _ => None,
        }
    }

    /// `value op constant` or `constant op value`: the constant.
    fn other(&self, node: &Node, value: &str) -> Option<f32> {
        let [a, b] = node.input.as_slice() else { return None };
        self.scalar(if a == value { b } else { a })
    }

    /// The nodes `* scale, + shift` that alone read `value`.
    fn affine_after(&self, graph: &Graph, value: &str) -> Option<(Affine, [usize; 2], String)> {
        let (mul, node) = self.only_reader(graph, value, "Mul")?;
        let scale = self.other(node, value)?;
        let product = &node.output[0];
        let (add, node) = self.only_reader(graph, product, "Add")?;
        let shift = self.other(node, product)?;
        Some((Affine { scale, shift }, [mul, add], node.output[0].clone()))
    }
}

fn is(node: &Node, op: &str) -> bool {
    node.op_type.as_deref() == Some(op)
}

/// Writes `x * clip(x + 3, 0, 6) / 6` as `HardSwish`.
fn use_hard_swish(graph: &mut Graph) {
    let index = Index::of(graph);
    let mut gone = vec![false; graph.node.len()];
    let mut found = Vec::new();
    for (i, node) in graph.node.iter().enumerate().filter(|(_, n)| is(n, "Add")) {
        let [x, three] = node.input.as_slice() else { continue };
        if index.scalar(three) != Some(3.0) {
            continue;
        }
        let chain = || {
            let (clip, node) = index.only_reader(graph, &node.output[0], "Clip")?;
            let (mul, node) = index.only_reader(graph, &node.output[0], "Mul")?;
            let (div, node) = index.only_reader(graph, &node.output[0], "Div").filter(|_| node.input.contains(x))?;
            (index.scalar(&node.input[1]) == Some(6.0)).then(|| (clip, mul, div, node.output[0].clone()))
        };
        if let Some((clip, mul, div, output)) = chain() {
            for k in [i, clip, mul] {
                gone[k] = true;
            }
            found.push((div, x.clone(), output));
        }
    }
    for (div, x, output) in found {
        graph.node[div] = op("HardSwish", &[&x], &output, Vec::new());
    }
    drop_nodes(graph, &gone);
}

fn drop_nodes(graph: &mut Graph, gone: &[bool]) {
    let mut gone = gone.iter();
    graph.node.retain(|_| !gone.next().copied().unwrap_or(false));
}

/// The height of every value along the convolutional part, as far as it is known.
fn heights(graph: &Graph, input: usize) -> HashMap<String, usize> {
    let index = Index::of(graph);
    let mut known: HashMap<String, usize> = HashMap::new();
    if let Some(name) = graph.input.first().and_then(|v| v.name.clone()) {
        known.insert(name, input);
    }
    for node in &graph.node {
        let inputs = node.input.iter().filter_map(|n| known.get(n)).max().copied();
        let height = match (node.op_type.as_deref(), inputs) {
            (Some("Conv"), Some(h)) => read_conv(&index, node).map(|c| c.output_height(h)),
            (Some("GlobalAveragePool"), Some(_)) => Some(1),
            (Some("Mul" | "Add" | "HardSwish" | "BatchNormalization" | "Relu" | "HardSigmoid"), h) => h,
            _ => None,
        };
        if let (Some(h), Some(name)) = (height, node.output.first()) {
            known.insert(name.clone(), h);
        }
    }
    known
}

fn read_conv(index: &Index, node: &Node) -> Option<Conv> {
    let tensor = index.constants.get(node.input.get(1)?)?;
    let weight = floats_of(tensor)?;
    let dims: Vec<usize> = tensor.dims.iter().filter_map(|d| usize::try_from(*d).ok()).collect();
    let bias = match node.input.get(2) {
        Some(name) => floats_of(index.constants.get(name)?)?,
        None => vec![0.0; *dims.first()?],
    };
    let list = |name: &str| -> Option<Vec<usize>> {
        let a = node.attribute.iter().find(|a| a.name.as_deref() == Some(name))?;
        a.ints.iter().map(|v| usize::try_from(*v).ok()).collect()
    };
    let group = node.attribute.iter().find(|a| a.name.as_deref() == Some("group")).and_then(|a| a.i).unwrap_or(1);
    (list("dilations")? == [1, 1]).then_some(())?;
    Some(Conv {
        weight,
        dims: dims.try_into().ok()?,
        bias,
        strides: list("strides")?.try_into().ok()?,
        pads: list("pads")?.try_into().ok()?,
        group: usize::try_from(group).ok()?,
    })
}

fn rewrite_convolutions(graph: &mut Graph, heights: &HashMap<String, usize>) -> Result<(), OcrError> {
    let index = Index::of(graph);
    let mut gone = vec![false; graph.node.len()];
    let mut replaced: HashMap<usize, Vec<Node>> = HashMap::new();
    for (i, node) in graph.node.iter().enumerate().filter(|(_, n)| is(n, "Conv")) {
        let Some(mut conv) = read_conv(&index, node) else { continue };
        let (mut input, mut output) = (node.input[0].clone(), node.output[0].clone());
        let mut before = Affine { scale: 1.0, shift: 0.0 };
        if let Some((affine, nodes, source)) = affine_before(graph, &index, &input) {
            before = affine;
            input = source;
            gone[nodes[0]] = true;
            gone[nodes[1]] = true;
        }
        if let Some((after, nodes, result)) = index.affine_after(graph, &output) {
            conv.then(after);
            output = result;
            gone[nodes[0]] = true;
            gone[nodes[1]] = true;
        }
        let height = heights.get(&node.input[0]).copied();
        let nodes = match height {
            Some(height) if conv.is_depthwise() => over_rows(&conv, before, height, &input, &output),
            _ => plain(&conv, before, node, &input, &output)?,
        };
        replaced.insert(i, nodes);
    }
    let old = std::mem::take(&mut graph.node);
    for (i, node) in old.into_iter().enumerate() {
        match replaced.remove(&i) {
            Some(nodes) => graph.node.extend(nodes),
            None if !gone[i] => graph.node.push(node),
            None => {}
        }
    }
    Ok(())
}

/// `* scale, + shift` in front of a convolution that alone reads the sum, and which can take them in.
fn affine_before(graph: &Graph, index: &Index, input: &str) -> Option<(Affine, [usize; 2], String)> {
    let sum = *index.writer.get(input)?;
    let (_, reader) = index.only_reader(graph, input, "Conv")?;
    let conv = read_conv(index, reader)?;
    let product = graph.node[sum].input.iter().find(|n| index.writer.contains_key(*n) && index.scalar(n).is_none())?;
    let mul = *index.writer.get(product)?;
    let source = graph.node[mul].input.iter().find(|n| index.scalar(n).is_none())?;
    is(&graph.node[mul], "Mul").then_some(())?;
    let (affine, nodes, result) = index.affine_after(graph, source)?;
    // A padded convolution takes the shift in only where the padding can be another number than 0.
    let takes = conv.is_depthwise() || conv.pads == [0; 4];
    (result == input && nodes == [mul, sum] && takes && affine.scale.abs() > 1e-6)
        .then(|| (affine, nodes, source.clone()))
}
