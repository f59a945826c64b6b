//! The edits that turn PaddleOCR's graphs into those that this room runs.
//!
//! - [`accept_grey`]: we have one grey channel with values -0.5 to 0.5 (as the `ocrs` crate feeds), the models
//!   take three normalised ones: a 1x1 convolution in front does both.
//! - [`keep_classes`]: the recognition model distinguishes 6,625 characters and the editor shows English. Only
//!   the wanted columns of its last layer are kept, which makes that layer 69 times smaller. The softmax
//!   after it then spreads the probability over the kept classes.
//! - [`fix_sizes`] and [`log_time_first`] make the variant that the `ocrs` crate itself can run.
//!
//! Pure functions over [`super::onnx`] messages; files are the business of [`super::models`].

use super::error::OcrError;
use super::onnx::{Attribute, AttributeType, Dim, Graph, Model, Node, Tensor, ValueInfo};

/// ONNX's number for 32-bit floats.
const FLOAT: i32 = 1;

/// Puts `grey * weight + bias`, one pair per channel, in front of a model that takes three channels.
///
/// # Errors
/// [`OcrError::UnexpectedGraph`] when the model does not have one input of three channels.
pub fn accept_grey(model: &mut Model, weight: [f32; 3], bias: [f32; 3]) -> Result<(), OcrError> {
    let graph = graph_mut(model)?;
    let input = single_input(graph)?;
    let inner = input.name.clone().unwrap_or_default();
    let channels = dims_mut(input)?.get_mut(1).filter(|d| d.value == Some(3));
    let channels = channels.ok_or_else(|| unexpected("the input does not have three channels"))?;
    *channels = Dim { value: Some(1), param: None };
    let outer = format!("{inner}.grey");
    input.name = Some(outer.clone());

    let (w, b) = (format!("{inner}.grey.weight"), format!("{inner}.grey.bias"));
    let conv = Node {
        input: vec![outer, w.clone(), b.clone()],
        output: vec![inner.clone()],
        name: Some(format!("{inner}.grey.conv")),
        op_type: Some("Conv".to_owned()),
        attribute: vec![
            ints("dilations", &[1, 1]),
            ints("kernel_shape", &[1, 1]),
            ints("strides", &[1, 1]),
            ints("pads", &[0, 0, 0, 0]),
        ],
        ..Node::default()
    };
    let front = [constant(&w, &[3, 1, 1, 1], &weight), constant(&b, &[3], &bias), conv];
    graph.node.splice(0..0, front);
    Ok(())
}

/// Keeps only these classes, in this order, of a model that ends in a linear layer and a softmax.
///
/// # Errors
/// [`OcrError::UnexpectedGraph`] when the graph does not end so, or a class does not exist.
pub fn keep_classes(model: &mut Model, classes: &[usize]) -> Result<(), OcrError> {
    let graph = graph_mut(model)?;
    let tail: Vec<_> = graph.node.iter().rev().take(3).map(|n| n.op_type.as_deref().unwrap_or_default()).collect();
    if tail != ["Softmax", "Add", "MatMul"] {
        return Err(unexpected(&format!("the graph ends in {tail:?}, not in a linear layer and a softmax")));
    }
    let second_input = |node: &Node| node.input.get(1).cloned().unwrap_or_default();
    let (weight, bias) =
        (second_input(&graph.node[graph.node.len() - 3]), second_input(&graph.node[graph.node.len() - 2]));
    let before = keep_columns(constant_mut(graph, &weight)?, classes)?;
    if keep_columns(constant_mut(graph, &bias)?, classes)? != before {
        return Err(unexpected("weight and bias of the last layer differ in length"));
    }
    let [output] = graph.output.as_mut_slice() else { return Err(unexpected("there is not one output")) };
    match dims_mut(output)?.last_mut() {
        Some(last) if last.value == i64::try_from(before).ok() => last.value = i64::try_from(classes.len()).ok(),
        _ => return Err(unexpected("the output's last dimension is not the number of classes")),
    }
    Ok(())
}

/// Fixes sizes of the input, by dimension: batch 0, channel 1, height 2, width 3.
///
/// # Errors
/// [`OcrError::UnexpectedGraph`] when the model does not have one input of four dimensions.
pub fn fix_sizes(model: &mut Model, sizes: &[(usize, i64)]) -> Result<(), OcrError> {
    let dims = dims_mut(single_input(graph_mut(model)?)?)?;
    for (place, size) in sizes {
        let dim = dims.get_mut(*place).ok_or_else(|| unexpected("the input has too few dimensions"))?;
        *dim = Dim { value: Some(*size), param: None };
    }
    Ok(())
}

/// Turns probabilities by [batch, time, class] into logarithms by [time, batch, class], as `ocrs` wants them.
///
/// # Errors
/// [`OcrError::UnexpectedGraph`] when the model does not have one output of three dimensions.
pub fn log_time_first(model: &mut Model) -> Result<(), OcrError> {
    let graph = graph_mut(model)?;
    let [output] = graph.output.as_mut_slice() else { return Err(unexpected("there is not one output")) };
    let inner = output.name.clone().unwrap_or_default();
    let (log, outer) = (format!("{inner}.log"), format!("{inner}.time_first"));
    let node = |op: &str, input: &str, output: &str, attribute| Node {
        input: vec![input.to_owned()],
        output: vec![output.to_owned()],
        name: Some(output.to_owned()),
        op_type: Some(op.to_owned()),
        attribute,
        ..Node::default()
    };
    let dims = dims_mut(output)?;
    if dims.len() != 3 {
        return Err(unexpected("the output does not have three dimensions"));
    }
    dims.swap(0, 1);
    output.name = Some(outer.clone());
    graph.node.push(node("Log", &inner, &log, Vec::new()));
    graph.node.push(node("Transpose", &log, &outer, vec![ints("perm", &[1, 0, 2])]));
    Ok(())
}

/// Keeps these columns of the last dimension; returns how many there were.
fn keep_columns(tensor: &mut Tensor, columns: &[usize]) -> Result<usize, OcrError> {
    let before = tensor.dims.last().and_then(|d| usize::try_from(*d).ok()).unwrap_or(0);
    let raw = tensor.raw_data.take().unwrap_or_default();
    if tensor.data_type != Some(FLOAT) || before == 0 || !raw.len().is_multiple_of(before * 4) {
        return Err(unexpected("the last layer is not a matrix of floats"));
    }
    if columns.iter().any(|c| *c >= before) {
        return Err(unexpected("the last layer has too few classes"));
    }
    let kept = raw.chunks_exact(before * 4).flat_map(|row| columns.iter().flat_map(move |c| &row[c * 4..c * 4 + 4]));
    tensor.raw_data = Some(kept.copied().collect());
    if let Some(last) = tensor.dims.last_mut() {
        *last = i64::try_from(columns.len()).unwrap_or(i64::MAX);
    }
    Ok(before)
}

fn graph_mut(model: &mut Model) -> Result<&mut Graph, OcrError> {
    model.graph.as_mut().ok_or_else(|| unexpected("the file has no graph"))
}

fn single_input(graph: &mut Graph) -> Result<&mut ValueInfo, OcrError> {
    match graph.input.as_mut_slice() {
        [input] => Ok(input),
        inputs => Err(unexpected(&format!("there are {} inputs", inputs.len()))),
    }
}

fn dims_mut(value: &mut ValueInfo) -> Result<&mut Vec<Dim>, OcrError> {
    let shape = value.r#type.as_mut().and_then(|t| t.tensor.as_mut()).and_then(|t| t.shape.as_mut());
    Ok(&mut shape.ok_or_else(|| unexpected("a value has no shape"))?.dim)
}

/// The tensor in the `Constant` node that writes `name`.
fn constant_mut<'a>(graph: &'a mut Graph, name: &str) -> Result<&'a mut Tensor, OcrError> {
    let writes = |node: &&mut Node| node.output.first().is_some_and(|o| o == name);
    let node = graph.node.iter_mut().find(writes);
    let tensor = node.and_then(|n| n.attribute.iter_mut().find_map(|a| a.t.as_mut()));
    tensor.ok_or_else(|| unexpected(&format!("{name} is not a constant")))
}

/// A constant float tensor.
pub(super) fn constant(name: &str, dims: &[i64], values: &[f32]) -> Node {
    let tensor = Tensor {
        dims: dims.to_vec(),
        data_type: Some(FLOAT),
        name: Some(name.to_owned()),
        raw_data: Some(values.iter().flat_map(|v| v.to_le_bytes()).collect()),
        ..Tensor::default()
    };
    let value = Attribute {
        name: Some("value".to_owned()),
        t: Some(tensor),
        r#type: Some(AttributeType::Tensor.into()),
        ..Attribute::default()
    };
    Node {
        output: vec![name.to_owned()],
        op_type: Some("Constant".to_owned()),
        attribute: vec![value],
        ..Node::default()
    }
}

pub(super) fn ints(name: &str, values: &[i64]) -> Attribute {
    Attribute {
        name: Some(name.to_owned()),
        ints: values.to_vec(),
        r#type: Some(AttributeType::Ints.into()),
        ..Attribute::default()
    }
}

pub(super) fn int(name: &str, value: i64) -> Attribute {
    Attribute {
        name: Some(name.to_owned()),
        i: Some(value),
        r#type: Some(AttributeType::Int.into()),
        ..Attribute::default()
    }
}

/// A constant list of 64-bit integers.
pub(super) fn constant_ints(name: &str, values: &[i64]) -> Node {
    let mut node = constant(name, &[i64::try_from(values.len()).unwrap_or(0)], &[]);
    for tensor in node.attribute.iter_mut().filter_map(|a| a.t.as_mut()) {
        tensor.data_type = Some(7);
        tensor.raw_data = Some(values.iter().flat_map(|v| v.to_le_bytes()).collect());
    }
    node
}

/// The numbers in a float tensor.
pub(super) fn floats_of(tensor: &Tensor) -> Option<Vec<f32>> {
    let raw = tensor.raw_data.as_ref().filter(|_| tensor.data_type == Some(FLOAT))?;
    Some(raw.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
}

pub(super) fn unexpected(what: &str) -> OcrError {
    OcrError::UnexpectedGraph(what.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::onnx::{Shape, TensorType, ValueType};

    fn value(name: &str, dims: &[Option<i64>]) -> ValueInfo {
        let dim = dims.iter().map(|d| Dim { value: *d, param: d.is_none().then(|| "free".to_owned()) }).collect();
        let tensor = TensorType { elem_type: Some(FLOAT), shape: Some(Shape { dim }) };
        ValueInfo { name: Some(name.to_owned()), r#type: Some(ValueType { tensor: Some(tensor) }), doc_string: None }
    }

    fn node(op: &str, input: &[&str], output: &str) -> Node {
        Node {
            op_type: Some(op.to_owned()),
            input: input.iter().map(|s| (*s).to_owned()).collect(),
            output: vec![output.to_owned()],
            ..Node::default()
        }
    }

    fn small() -> Model {
        let graph = Graph {
            node: vec![
                constant("w", &[2, 3], &[0.0, 1.0, 2.0, 10.0, 11.0, 12.0]),
                constant("b", &[3], &[5.0, 6.0, 7.0]),
                node("MatMul", &["x", "w"], "m"),
                node("Add", &["m", "b"], "a"),
                node("Softmax", &["a"], "p"),
            ],
            input: vec![value("x", &[None, Some(3), Some(48), None])],
            output: vec![value("p", &[None, None, Some(3)])],
            ..Graph::default()
        };
        Model { graph: Some(graph), ..Model::default() }
    }

    fn floats(model: &Model, name: &str) -> Vec<f32> {
        let graph = model.graph.as_ref().unwrap();
        let node = graph.node.iter().find(|n| n.output[0] == name).unwrap();
        let raw = node.attribute[0].t.as_ref().unwrap().raw_data.as_ref().unwrap();
        raw.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
    }

    #[test]
    fn columns_are_kept_in_the_wanted_order() {
        let mut model = small();
        keep_classes(&mut model, &[2, 0]).unwrap();
        assert_eq!(floats(&model, "w"), [2.0, 0.0, 12.0, 10.0]);
        assert_eq!(floats(&model, "b"), [7.0, 5.0]);
        let output = &mut model.graph.as_mut().unwrap().output[0];
        assert_eq!(dims_mut(output).unwrap()[2].value, Some(2));
    }

    #[test]
    fn a_class_that_is_not_there_is_an_error() {
        assert!(matches!(keep_classes(&mut small(), &[3]), Err(OcrError::UnexpectedGraph(_))));
    }

    #[test]
    fn a_graph_with_another_end_is_an_error() {
        let mut model = small();
        model.graph.as_mut().unwrap().node.pop();
        assert!(matches!(keep_classes(&mut model, &[0]), Err(OcrError::UnexpectedGraph(_))));
    }

    #[test]
    fn grey_comes_first_and_the_input_is_renamed() {
        let mut model = small();
        accept_grey(&mut model, [1.0, 2.0, 3.0], [0.5; 3]).unwrap();
        let graph = model.graph.as_ref().unwrap();
        assert_eq!(graph.input[0].name.as_deref(), Some("x.grey"));
        assert_eq!(graph.node[2].op_type.as_deref(), Some("Conv"));
        assert_eq!(graph.node[2].output, ["x"]);
        assert!(accept_grey(&mut model, [1.0; 3], [0.0; 3]).is_err(), "a second time there is one channel only");
    }
}
